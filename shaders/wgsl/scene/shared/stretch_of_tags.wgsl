// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: OpenBegin, box_of_element, pool, tags_of_quad
// provides: STRETCHES_PER_PARTITION, entry_of, read_stretch, slice_box_of

// The elements before the workgroup's partition in stretches of 16 elements each, from their draw
// tags.

#import aabb
#import bic
#import grid
#import tag_sets

const STRETCH_LENGTH = 16u;
const STRETCHES_PER_PARTITION = WORKGROUP_SIZE / STRETCH_LENGTH;

// The lowest `n` begins that the stretch leaves open.
fn lowest_open(stretch: u32, n: i32) -> u32 {
    var open = u32(pool[stretch].z) & 0xffffu;
    var kept = 0u;
    for (var i = 0; i < n; i++) {
        kept |= open & (~open + 1u);
        open &= open - 1u;
    }
    return kept;
}

// The intersection of the boxes of some elements of a stretch. It loads four boxes per step,
// possibly the same one more than once, because the latency of a load dominates.
fn box_of(stretch: u32, elements: u32) -> vec4<f32> {
    let first = STRETCH_LENGTH * stretch;
    var box = PLANE;
    var left = elements;
    while left != 0u {
        var at = vec4(firstTrailingBit(left));
        #repeat i 4
        if left != 0u {
            at[$i] = firstTrailingBit(left);
        }
        left &= left - 1u;
        #endrepeat
        let low = meet(box_of_element(first + at.x), box_of_element(first + at.y));
        box = meet(box, meet(low, meet(box_of_element(first + at.z), box_of_element(first + at.w))));
    }
    return box;
}

// The vector of the pool for a stretch: its packed bicyclic sum, its number of entries, and two
// sets of its elements: the begins that it leaves open, and the entries in the high half.
fn read_stretch(stretch: u32) -> vec4<i32> {
    var begins = 0u;
    var ends = 0u;
    #repeat i 4
    let tags = tags_of_quad(STRETCH_LENGTH / 4u * stretch + $i);
    begins |= begins_among(tags) << (4u * $i);
    ends |= ends_among(tags) << (4u * $i);
    #endrepeat
    // In reversed bit order, `m & (m - 1u)` pops the top, even of an empty stack, and
    // `m & (m - 0u)` does nothing.
    let reversed_begins = reverseBits(begins);
    let reversed_ends = reverseBits(ends);
    var reversed = 0u;
    #repeat i 16
    reversed &= reversed - ((reversed_ends >> (31u - $i)) & 1u);
    reversed |= reversed_begins & (0x80000000u >> $i);
    #endrepeat
    let open = reverseBits(reversed);
    let entries = begins | ends;
    // Each begin that is not left open matches an end.
    let n_ends = countOneBits(ends) - (countOneBits(begins) - countOneBits(open));
    return vec4(i32(pack_bic(n_ends, countOneBits(open))), i32(countOneBits(entries)), i32(open | (entries << 16u)), 0);
}

// The index of a begin in the node stream.
fn entry_of(begin: OpenBegin) -> i32 {
    let first = pool[0].y - pool[begin.stretch].y;
    let element = firstLeadingBit(lowest_open(begin.stretch, begin.slot + 1));
    return first + i32(countOneBits((u32(pool[begin.stretch].z) >> 16u) & ((1u << element) - 1u)));
}

// The intersection of the boxes of a begin and the begins below it in its stretch.
fn slice_box_of(begin: OpenBegin) -> vec4<f32> {
    return box_of(begin.stretch, lowest_open(begin.stretch, begin.slot + 1));
}
