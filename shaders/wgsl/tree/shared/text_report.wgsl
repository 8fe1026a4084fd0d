// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: TextReport

// The number of rows of a text, and its first error. `boxwood::tree::TextReport` has the same
// layout.
struct TextReport {
    n_rows: u32,
    reason: u32,
    offset: u32,
}
