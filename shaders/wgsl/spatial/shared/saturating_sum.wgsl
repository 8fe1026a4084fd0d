// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORKGROUP_SIZE
// provides: saturating_add, saturating_sum_before, saturating_total

// Sums that stay at the largest u32 instead of starting again at 0. Such an addition is
// associative.
//
// The prefix sums over a workgroup are those of the lower and of the upper 16 bits, which have no
// carry: the sum of 256 terms of 16 bits is a u32.

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = vec2<u32>;
#import prefix_sum

fn saturating_add(a: u32, b: u32) -> u32 {
    return a + min(b, ~a);
}

fn joined(halves: vec2<u32>) -> u32 {
    let high = halves.y + (halves.x >> 16u);
    return select(0xffffffffu, (high << 16u) | (halves.x & 0xffffu), high <= 0xffffu);
}

// The sum before the invocation. Ends with a barrier.
fn saturating_sum_before(local: u32, own: u32) -> u32 {
    let halves = vec2(own & 0xffffu, own >> 16u);
    return joined(prefix_sum(local, halves) - halves);
}

// The sum over the workgroup, from the end of `saturating_sum_before` to the next barrier.
fn saturating_total() -> u32 {
    return joined(prefix_sums[WORKGROUP_SIZE - 1u]);
}
