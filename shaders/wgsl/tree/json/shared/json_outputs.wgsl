// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: JsonLink, JsonSpan

// The first and the last byte of a row. `boxwood::tree::JsonSpan` has the same layout.
struct JsonSpan {
    first: u32,
    last: u32,
}

// The parent and the partner of a row, or -1. `boxwood_cpu::EntryLink` has the same layout.
struct JsonLink {
    parent: i32,
    partner: i32,
}
