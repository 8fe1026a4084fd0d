// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: N_SUMMED, Summed
// provides: prefix_sum, prefix_sums

// The inclusive prefix sum over the invocations of a workgroup. The importing file declares their
// number, and the type of their items: an integer or a vector of integers.
//
// Each round adds four terms, alternates between the halves of the array, and has one barrier. The
// number of rounds is log4(N_SUMMED), rounded up: four for 256 invocations, three for 64. If it is
// even, the result ends up in the first half, otherwise in the second half.

var<workgroup> prefix_sums: array<Summed, 2u * N_SUMMED>;

fn prefix_sum_before(half: u32, local: u32, length: u32) -> Summed {
    return select(Summed(0u), prefix_sums[half + max(local, length) - length], local >= length);
}

// The sum up to and including the invocation. Ends with a barrier, after which that half of
// `prefix_sums` has the sums of all invocations.
fn prefix_sum(local: u32, own: Summed) -> Summed {
    var sum = own;
    var half = 0u;
    prefix_sums[local] = sum;
    workgroupBarrier();
    for (var length = 1u; length < N_SUMMED; length *= 4u) {
        let low = sum + prefix_sum_before(half, local, length);
        sum = low + prefix_sum_before(half, local, 2u * length) + prefix_sum_before(half, local, 3u * length);
        half ^= N_SUMMED;
        prefix_sums[half + local] = sum;
        workgroupBarrier();
    }
    return sum;
}
