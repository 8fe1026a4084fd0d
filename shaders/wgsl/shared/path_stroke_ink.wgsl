// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// What strokes are drawn with.

struct StrokeInk {
    // Of what is no stroke the greatest number is not finite.
    base: Ink,
    flags: u32,
    width: u32,
}

// What is stroked with under this transform and style.
fn stroke_ink_of(transform: u32, style: u32) -> StrokeInk {
    var ink: StrokeInk;
    ink.base.greatest = NOT_FINITE;
    if transform >= config.n_transforms || !is_stroke(style) {
        return ink;
    }
    ink.flags = scene[config.style_base + 2u * style];
    ink.width = magnitude(scene[config.style_base + 2u * style + 1u]);
    if ink.width >= INFINITY {
        return ink;
    }
    ink.base = read_ink(transform);
    // Beside a pen that is out of range everything is.
    ink.base.range = select(ink.base.range, 0u, ink.width >= ink.base.range);
    return ink;
}
