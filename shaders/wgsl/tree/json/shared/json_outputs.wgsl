// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: JsonSpan

// The first and the last byte of a row. `boxwood::tree::JsonSpan` has the same layout.
struct JsonSpan {
    first: u32,
    last: u32,
}
