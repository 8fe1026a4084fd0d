// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: swizzled

// A permutation of the places of an array in workgroup memory. Neighbouring invocations can access
// items next to each other as well as items at a distance of eight without bank conflicts.

fn swizzled(place: u32) -> u32 {
    return place ^ ((place >> 5u) & 7u);
}
