// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: removed_sum
// provides: kept_item

// The search of a kept item in the prefix sums of the removed ones. Roger, Assarsson, Holzschuch
// 2007, "Dichotomic search details" and "Dichotomic search improvement".
//
// The rank of item j of a block is j - removed_sum(j). The source stops at any item of rank i, but
// the removed items after a kept one have its rank: this searches the first one.

// The item of output `i` of the block of `length` items that begins at `first`. The importing file
// declares `removed_sum`, the number of removed items of the block up to an item and including it.
// More than `i` items must be kept.
fn kept_item(first: u32, length: u32, i: u32) -> u32 {
    var low = i + removed_sum(first + i);
    var high = i + removed_sum(first + length - 1u);
    while low < high {
        let middle = (low + high) / 2u;
        // The middle has this rank at least if it is at least this item.
        let least = i + removed_sum(first + middle);
#ifdef contracting
        // Ranks grow by at most 1 per item, so the difference of two ranks bounds the distance.
        low = select(low, least, middle < least);
        high = select(least, high, middle < least);
#else
        low = select(low, middle + 1u, middle < least);
        high = select(middle, high, middle < least);
#endif
    }
    return low;
}
