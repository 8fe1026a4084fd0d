// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: PartitionCrossings, PartitionSummary

#import bic

// What other partitions see of one. boxwood_layout::PartitionSummary has the same layout.
struct PartitionSummary {
    // The ends without a begin, and the begins without an end.
    bic: Bic,
    // How many entries of the node stream precede the partition, and how many it has.
    first_node: u32,
    n_nodes: u32,
    // A bound on how many levels of the stack are met between its elements: one more than the range of its quads' least depths.
    n_levels: u32,
    quads: array<u32, 256>,
    // The slice: the begins left open, outermost first, as indices into the node stream.
    slice: array<u32, 1024>,
}

// The nodes that a partition has in common with others. boxwood_layout::PartitionCrossings has the same layout.
struct PartitionCrossings {
    // The clip box that holds where all ends without a begin in the partition have been applied to the stack before it.
    floor_box: vec4<f32>,
    // The union of the clipped boxes of its leaves.
    total_box: vec4<f32>,
    // The begin on top of the stack there, -1 for none.
    floor_begin: i32,
    // The nodes that end here and do not begin here, in order, as indices into the node stream: the begin, -1 for none; the end.
    pairs: array<vec2<i32>, 1024>,
}
