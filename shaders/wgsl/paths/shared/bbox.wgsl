// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: PathBbox

// The box of a path in whole pixels, as Vello has it: boxwood_layout::PathBbox has the same layout.
struct PathBbox {
    x0: i32,
    y0: i32,
    x1: i32,
    y1: i32,
    draw_flags: u32,
    trans_ix: u32,
}
