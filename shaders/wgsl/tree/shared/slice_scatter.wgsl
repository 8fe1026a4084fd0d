// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: ELEMENTS, begins_at, partition_bics, slices
// provides: leave_slice

// The stack slice of a partition: the begins that the partition leaves open, outermost first.
// Levien 2022, section 7.1 for one entry per invocation, and section 8.1 for more.
//
// The importing file declares ELEMENTS, the number of entries per invocation, and
// `begins_at(first)`, which returns bit i set if entry first + i is a begin.

#import bic
#import config
#import grid
#import suffix_bics

fn entry_bic(begins: u32, i: u32) -> Bic {
    let is_begin = (begins >> i) & 1u;
    return Bic(1u - is_begin, is_begin);
}

// Writes the bicyclic sum and the slice of the partition.
fn leave_slice(part: u32, local: u32) {
    // Phase 1: each invocation sums its own entries.
    let first = (part * WORKGROUP_SIZE + local) * ELEMENTS;
    var begins = 0u;
    var n_entries = 0u;
    var own = Bic(0u, 0u);
    if first < config.n_entries {
        begins = begins_at(first);
        n_entries = min(ELEMENTS, config.n_entries - first);
        for (var i = 0u; i < ELEMENTS; i++) {
            own = bic_then(own, entry_bic(begins, i));
        }
    }

    // Phase 2: the reverse scan of the sums.
    scan_suffixes(local, own);
    let partition_bic = suffix_bics[0];
    if local == 0u {
        partition_bics[part] = partition_bic;
    }

    // Phase 3: each invocation walks its entries backwards. A begin is in the slice if no unmatched
    // end follows it. Its slot follows from the begins after it.
    var after = suffix_bic(local + 1u);
    for (var back = 1u; back <= ELEMENTS; back++) {
        let i = ELEMENTS - back;
        let entry = entry_bic(begins, i);
        if i < n_entries && entry.b == 1u && after.a == 0u {
            let slot = partition_bic.b - 1u - after.b;
            slices[part * WORKGROUP_SIZE * ELEMENTS + slot] = first + i;
        }
        after = bic_then(entry, after);
    }
}
