// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: KIND_BEGIN, KIND_END, NO_CROSSING, SmallPartition, SmallSummary

// A partition of 256 elements as others see it, in scenes of up to 65,536 elements.

#import bic

// In short: boxwood_layout::SmallSummary has the same layout.
struct SmallSummary {
    // The ends without a begin, and the begins without an end.
    bic: Bic,
    // How many entries of the node stream it has, and how many precede it.
    n_nodes: u32,
    first_node: u32,
    // The union of the clipped boxes of its leaves.
    total_box: vec4<f32>,
}

// At length: boxwood_layout::SmallPartition has the same layout.
struct SmallPartition {
    // The intersection of each begin in the slice with those below it there.
    slice_boxes: array<vec4<f32>, 256>,
    // The slice: the begins left open, outermost first, as places in the node stream of the partition.
    slice: array<u32, 256>,
    // Of each element its place, and from bit 30 on KIND_BEGIN or KIND_END for an entry of the node stream.
    node_ranks: array<u32, 256>,
    // Of each end whose begin is in an earlier partition, the begin's index in the node stream, and from bit 16 on that partition.
    // NO_CROSSING of others.
    begins: array<u32, 256>,
}

const KIND_BEGIN = 1u;
const KIND_END = 2u;
const NO_CROSSING = 0xffffffffu;
