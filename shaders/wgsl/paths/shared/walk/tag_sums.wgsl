// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: N_SUMMED
// provides: sum_up_to

// The inclusive prefix sum of the counts of a workgroup, one per invocation.

#import tag

// Two buffers, used alternately. Each has one plane per word of `PackedCounts`.
var<workgroup> pool: array<u32, 4u * N_SUMMED>;
const HALF = 2u * N_SUMMED;

fn counts_up_to(half: u32, index: u32) -> PackedCounts {
    return PackedCounts(pool[half + index], pool[half + N_SUMMED + index]);
}

fn counts_of_earlier(half: u32, index: u32, distance: u32) -> PackedCounts {
    return select(PackedCounts(0u), counts_up_to(half, max(index, distance) - distance), index >= distance);
}

// The sum of the counts of all invocations up to this one. Each round adds four sums.
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
