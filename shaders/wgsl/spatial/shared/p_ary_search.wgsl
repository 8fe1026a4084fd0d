// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORKGROUP_SIZE, is_before
// provides: p_ary_search

// A search by all invocations of a workgroup, which test a place each, as in Kaldewey and others,
// *Parallel Search on Video Cards* (2009). A round leaves one of 257 parts: 2^24 places take three
// rounds. The importing file declares `is_before`, which is true up to some place and false from
// there on.

const MAX_ROUNDS = 4u;

// The lower end after each round. Each has its own word, so that a round has one barrier.
var<workgroup> lower_ends: array<atomic<u32>, MAX_ROUNDS>;

// The first of n places that is not before, or n. If `is_before` changes more than once, it is n or
// less. Ends with a barrier, unless n is 0. Between two calls, there must be another barrier.
fn p_ary_search(local: u32, n: u32) -> u32 {
    var low = 0u;
    var round = 0u;
    // The control flow depends on n alone: places at and after n are not before.
    for (var length = n; length > 0u; length = (length - 1u) / WORKGROUP_SIZE) {
        let step = (length - 1u) / WORKGROUP_SIZE + 1u;
        let tested = low + local * step + step - 1u;
        let is_own_before = tested < n && is_before(tested);
        if !is_own_before && (local == 0u || (tested - step < n && is_before(tested - step))) {
            atomicStore(&lower_ends[round], low + local * step);
        }
        if is_own_before && local == WORKGROUP_SIZE - 1u {
            atomicStore(&lower_ends[round], tested + 1u);
        }
        workgroupBarrier();
        low = atomicLoad(&lower_ends[round]);
        round += 1u;
    }
    return low;
}
