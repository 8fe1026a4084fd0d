// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: RoundedBox

// The box of a path in whole pixels, with the layout of Vello's `PathBbox` and of
// boxwood_cpu::paths::RoundedBox.
struct RoundedBox {
    x0: i32,
    y0: i32,
    x1: i32,
    y1: i32,
    draw_flags: u32,
    trans_ix: u32,
}
