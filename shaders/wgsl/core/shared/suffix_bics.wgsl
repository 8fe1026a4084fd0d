// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: scan_suffixes, suffix_bic, suffix_bics

// Bicyclic suffix sums over the invocations of a workgroup.

#import bic
#import grid

// The sum of the items starting at each invocation.
var<workgroup> suffix_bics: array<Bic, WORKGROUP_SIZE>;

// The sum of the items starting at `item`, also for the end of the items.
fn suffix_bic(item: u32) -> Bic {
    if item < WORKGROUP_SIZE {
        return suffix_bics[item];
    }
    return Bic(0u, 0u);
}

// Fills `suffix_bics` from each invocation's own sum, for up to `n` items, and returns that of the
// invocation. Other invocations see the values after the caller's next barrier.
fn scan_suffixes(local: u32, own: Bic, n: u32) -> Bic {
    var bic = own;
    suffix_bics[local] = bic;
    for (var stride = 1u; stride < n; stride <<= 1u) {
        workgroupBarrier();
        let after = suffix_bic(local + stride);
        workgroupBarrier();
        bic = bic_then(bic, after);
        suffix_bics[local] = bic;
    }
    return bic;
}
