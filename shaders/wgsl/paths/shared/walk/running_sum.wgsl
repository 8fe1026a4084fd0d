// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: N_SUMMED, Summed
// provides: sum_up_to, sums

// The inclusive prefix sum of one vector of counts per invocation. Each round adds four terms and
// alternates between the halves of the array.

var<workgroup> sums: array<Summed, 2u * N_SUMMED>;

fn sum_before(half: u32, index: u32, distance: u32) -> Summed {
    return select(Summed(0u), sums[half + max(index, distance) - distance], index >= distance);
}

// The sum of the counts of all invocations up to this one.
fn sum_up_to(local: u32, own: Summed) -> Summed {
    var sum = own;
    var half = 0u;
    sums[local] = sum;
    workgroupBarrier();
    for (var length = 1u; length < N_SUMMED; length *= 4u) {
        let low = sum + sum_before(half, local, length);
        sum = low + sum_before(half, local, 2u * length) + sum_before(half, local, 3u * length);
        half ^= N_SUMMED;
        sums[half + local] = sum;
        workgroupBarrier();
    }
    return sum;
}
