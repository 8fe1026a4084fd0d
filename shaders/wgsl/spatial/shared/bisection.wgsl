// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: keys
// provides: bound_of, bound_within

// A search by bisection. The number of steps depends on the number of keys alone, so that all
// invocations take the same time. If the keys are not in order, each index is still less than their
// number.

#import search_bound

// The bound of a query among the first n keys.
fn bound_of(query: u32, n: u32) -> u32 {
    return bound_within(query, 0u, n);
}

// The bound of a query, if it is one of `first` to `first + n`.
fn bound_within(query: u32, first: u32, n: u32) -> u32 {
    var low = first;
    var length = n;
    while length > 1u {
        let half = length / 2u;
        low += select(0u, half, is_key_before(keys[low + half - 1u], query));
        length -= half;
    }
    if length == 1u && is_key_before(keys[low], query) {
        low += 1u;
    }
    return low;
}
