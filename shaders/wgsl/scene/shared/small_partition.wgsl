// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: KIND_BEGIN, KIND_END, NO_CROSSING, SmallPartition, SmallSummary

// The facts about a partition of 256 elements that other partitions need, in scenes of up to 65,536
// elements.

#import bic

struct SmallSummary {
    // The sum of the partition: ends without a begin in it, begins without an end in it.
    bic: Bic,
    // The number of entries of the node stream in the partition, and before it.
    n_entries: u32,
    first_entry: u32,
    // The union of the clipped boxes of its leaves.
    total_box: vec4<f32>,
}

struct SmallPartition {
    // For each begin of the slice, the intersection of its box and those below it in the slice.
    slice_boxes: array<vec4<f32>, 256>,
    // The slice: the begins that the partition leaves open, outermost first, as ranks within the
    // partition.
    slice: array<u32, 256>,
    // The rank of each element. Bits 30..32: KIND_BEGIN or KIND_END if it is an entry of the node
    // stream.
    ranks: array<u32, 256>,
    // For each end whose begin is in an earlier partition: the begin as an index into the node
    // stream, and that partition in bits 16..32. NO_CROSSING for every other element.
    begins: array<u32, 256>,
}

const KIND_BEGIN = 1u;
const KIND_END = 2u;
const NO_CROSSING = 0xffffffffu;
