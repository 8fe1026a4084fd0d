// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: scan_suffixes, suffix_bics

// Bicyclic sums of all that follows.

#import bic
#import config

// Bic of the items from this one on, one an invocation.
var<workgroup> suffix_bics: array<Bic, WORKGROUP_SIZE>;

// Fills them, each invocation with its item's own sum, where there are no more than `n` items. Gives the invocation's. The caller's
// next barrier lets others see them.
fn scan_suffixes(local: u32, own: Bic, n: u32) -> Bic {
    var bic = own;
    suffix_bics[local] = bic;
    for (var stride = 1u; stride < n; stride <<= 1u) {
        workgroupBarrier();
        var after = Bic(0u, 0u);
        if local + stride < WORKGROUP_SIZE {
            after = suffix_bics[local + stride];
        }
        workgroupBarrier();
        bic = bic_then(bic, after);
        suffix_bics[local] = bic;
    }
    return bic;
}
