// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: N_SUMMED
// provides: sum_up_to

// What comes before each word of tags of a partition: a prefix sum.

#import tag

// The packed counts up to each word of tags, in two planes, by turns in two halves.
var<workgroup> pool: array<u32, 4u * N_SUMMED>;
const HALF = 2u * N_SUMMED;

fn counts_up_to(half: u32, word: u32) -> PackedCounts {
    return PackedCounts(pool[half + word], pool[half + N_SUMMED + word]);
}

fn counts_of_earlier(half: u32, word: u32, length: u32) -> PackedCounts {
    return select(PackedCounts(0u), counts_up_to(half, max(word, length) - length), word >= length);
}

// The sum of the counts up to this word. Four at a time. Ends in a barrier, and leaves the sums in the first half.
fn sum_up_to(local: u32, own: PackedCounts) -> PackedCounts {
    var sum = own;
    var half = 0u;
    pool[local] = sum.x;
    pool[N_SUMMED + local] = sum.y;
    workgroupBarrier();
    for (var length = 1u; length < N_SUMMED; length *= 4u) {
        let low = sum + counts_of_earlier(half, local, length);
        sum = low + counts_of_earlier(half, local, 2u * length) + counts_of_earlier(half, local, 3u * length);
        half ^= HALF;
        pool[half + local] = sum.x;
        pool[half + N_SUMMED + local] = sum.y;
        workgroupBarrier();
    }
    return sum;
}
