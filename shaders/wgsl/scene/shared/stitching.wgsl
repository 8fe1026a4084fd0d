// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: crossings, group_boxes, summaries

// The bindings of the dispatches that complete the nodes that cross partitions.

#import summary

@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> crossings: array<PartitionCrossings>;
@group(0) @binding(3) var<storage, read_write> group_boxes: array<vec4<f32>>;
