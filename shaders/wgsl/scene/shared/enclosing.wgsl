// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Enclosing

// The nodes that enclose a partition below its own slice. `clip_box` is the intersection of the
// first of them. `link` is the partition whose slice and `Enclosing` stand for the rest, or -1.
struct Enclosing {
    clip_box: vec4<f32>,
    link: i32,
}
