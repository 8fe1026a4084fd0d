// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: OpenBegin, pool, small_partitions, small_summaries
// provides: STRETCHES_PER_PARTITION, entry_of, read_stretch, slice_box_of

// The elements before the workgroup's partition in stretches of one partition each, from the
// summaries of small_reduce.

#import bic

const STRETCHES_PER_PARTITION = 1u;

// The vector of the pool for a stretch: its packed bicyclic sum, and its number of entries.
fn read_stretch(stretch: u32) -> vec4<i32> {
    let bic = small_summaries[stretch].bic;
    return vec4(i32(pack_bic(bic.a, bic.b)), i32(small_summaries[stretch].n_entries), 0, 0);
}

// The index of a begin in the node stream.
fn entry_of(begin: OpenBegin) -> i32 {
    return pool[0].y - pool[begin.stretch].y + i32(small_partitions[begin.stretch].slice[begin.slot]);
}

// The intersection of the boxes of a begin and the begins below it in its stretch.
fn slice_box_of(begin: OpenBegin) -> vec4<f32> {
    return small_partitions[begin.stretch].slice_boxes[begin.slot];
}
