// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: PartitionCrossings, PartitionSummary

#import bic

// The summary of a partition of 1024 elements, for the dispatches that look at other partitions.
// Every index into the node stream is below `config.n_entries`. fused_reduce ensures this.
struct PartitionSummary {
    // The sum of the partition: ends without a begin in it, begins without an end in it.
    bic: Bic,
    // The number of entries of the node stream before the partition, and in it.
    first_entry: u32,
    n_entries: u32,
    // An upper bound on the number of levels of the stack among its elements: one more than the
    // range of the quads' minimum depths.
    n_levels: u32,
    // The elements, packed by pack_quad().
    packed_quads: array<u32, 256>,
    // The slice: the begins that the partition leaves open, outermost first, as indices into the
    // node stream.
    slice: array<u32, 1024>,
}

// The nodes that a partition shares with other partitions.
struct PartitionCrossings {
    // The clip box that applies after all ends without a begin in the partition: that at the floor
    // of the partition.
    floor_box: vec4<f32>,
    // The begin on top of the stack at the floor, or -1.
    floor_begin: i32,
    // The ends without a begin in the partition, in order, as indices into the node stream: the
    // begin of the end, or -1 if it has none, and the end.
    pairs: array<vec2<i32>, 1024>,
}
