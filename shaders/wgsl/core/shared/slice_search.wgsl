// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, partition_bics
// provides: place_before, scan_partitions

// Finding a level of the stack in the slices where a workgroup sees all partitions, one an invocation. Levien 2022, section 7.2.
// Needs the bindings `config` and `partition_bics`.

#import bic
#import suffix_bics

// Fills the sums of the partitions from each one up to the workgroup's own, `part`.
fn scan_partitions(part: u32, local: u32) {
    var bic = Bic(0u, 0u);
    if local < part {
        bic = partition_bics[local];
    }
    scan_suffixes(local, bic, config.n_partitions);
}

// Where a begin on the stack is: the partition that has it, -1 for none, and its slot in the slice there.
struct SlicePlace {
    source: i32,
    slot: u32,
}

// That of the begin `depth` levels below the top of the stack before `part`.
fn place_before(part: u32, depth: u32) -> SlicePlace {
    // The last partition from which on more than `depth` begins stay open. `b` only grows to the left.
    var low = 0u;
    var high = part;
    while low < high {
        let middle = (low + high) / 2u;
        if suffix_bics[middle].b > depth {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    if low == 0u {
        return SlicePlace(-1, 0u);
    }
    let source = low - 1u;
    // What is left open from the source on begins with what is left of its slice.
    return SlicePlace(i32(source), suffix_bics[source].b - 1u - depth);
}
