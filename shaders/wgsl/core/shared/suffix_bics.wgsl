// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: scan_suffixes, suffix_bic, suffix_bics

// Bicyclic suffix sums over the invocations of a workgroup. Each round joins four adjacent ranges
// and alternates between the halves of `suffix_bics`. The result of the fourth round is in the
// first half.

#import bic
#import grid

var<workgroup> suffix_bics: array<Bic, 2u * WORKGROUP_SIZE>;

fn suffix_bic_in(half: u32, item: u32) -> Bic {
    if item < WORKGROUP_SIZE {
        return suffix_bics[half + item];
    }
    return Bic(0u, 0u);
}

// The sum of the items starting at `item`, also for the end of the items.
fn suffix_bic(item: u32) -> Bic {
    return suffix_bic_in(0u, item);
}

// Fills `suffix_bics` from each invocation's own sum, and returns that of the invocation. Ends with
// a barrier.
fn scan_suffixes(local: u32, own: Bic) -> Bic {
    var bic = own;
    var half = 0u;
    suffix_bics[local] = bic;
    workgroupBarrier();
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 4u) {
        #repeat k 3
        bic = bic_then(bic, suffix_bic_in(half, local + ($k + 1u) * length));
        #endrepeat
        half ^= WORKGROUP_SIZE;
        suffix_bics[half + local] = bic;
        workgroupBarrier();
    }
    return bic;
}
