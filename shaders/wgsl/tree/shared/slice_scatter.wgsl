// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: partition_bics, slices
// provides: leave_slice

// The stack slice of a partition of one entry an invocation. Levien 2022, section 7.1. Needs the bindings `partition_bics` and
// `slices`.

#import bic
#import config
#import suffix_bics

// Leaves the bicyclic sum of the partition and its slice, each invocation with its entry, whose own sum is `own`.
fn leave_slice(part: u32, local: u32, is_begin: bool, own: Bic) {
    let bic = scan_suffixes(local, own, WORKGROUP_SIZE);
    workgroupBarrier();
    let partition_bic = suffix_bics[0];
    if local == 0u {
        partition_bics[part] = partition_bic;
    }
    var ends_after = 0u;
    if local + 1u < WORKGROUP_SIZE {
        ends_after = suffix_bics[local + 1u].a;
    }
    if is_begin && ends_after == 0u {
        slices[part * WORKGROUP_SIZE + partition_bic.b - bic.b] = part * WORKGROUP_SIZE + local;
    }
}
