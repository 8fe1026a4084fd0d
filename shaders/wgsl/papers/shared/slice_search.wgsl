// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: partition_bics
// provides: place_before, scan_partitions

// Finding a level of the stack where a workgroup sees all partitions, one per invocation. Levien
// 2022, section 7.2.

#import bic
#import suffix_bics

// Fills `suffix_bics`: for each partition, the sum from it up to `part`, the workgroup's own.
// Returns the sum of the invocation's partition, or 0 if that is not before `part`. Ends with a
// barrier.
fn scan_partitions(part: u32, local: u32) -> Bic {
    var bic = Bic(0u, 0u);
    if local < part {
        bic = partition_bics[local];
    }
    scan_suffixes(local, bic);
    return bic;
}

// The position of a begin on the stack: its partition, or -1, and its slot in the slice of that
// partition.
struct SlicePlace {
    source: i32,
    slot: u32,
}

// The begin `depth` levels below the top of the stack before `part`.
fn place_before(part: u32, depth: u32) -> SlicePlace {
    // The last partition such that the partitions starting at it leave more than `depth` begins
    // open. `b` never decreases to the left.
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
    // The begins that the partitions starting at the source leave open start with the rest of its
    // slice.
    return SlicePlace(i32(source), suffix_bics[source].b - 1u - depth);
}
