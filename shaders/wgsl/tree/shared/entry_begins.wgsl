// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: begins_at, entries

// The kinds of the entries of a node stream, for shaders with one entry per invocation.

#import entry

@group(0) @binding(1) var<storage> entries: array<i32>;

// Bit 0: whether entry `index` is a begin.
fn begins_at(index: u32) -> u32 {
    return u32(entry_is_begin(entries[index]));
}
