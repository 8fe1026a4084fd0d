//! Workarounds for upstream bugs and missing features in trees and pictures, one per file. Those in
//! documents are `passes`.
//!
//! Each file names the upstream crate with its version, the bug, and the workaround. Each has a
//! test that reproduces a bug with the upstream crate alone: it fails once upstream has fixed the
//! bug, and then the file, or that part of it, can go.

pub(crate) mod background;
pub(crate) mod close_stops;
pub(crate) mod gradients;
pub(crate) mod letter_spacing;
pub(crate) mod miter_clip;
pub(crate) mod nested_viewports;
pub(crate) mod nonfinite_strokes;
pub(crate) mod short_segments;
pub(crate) mod silent_images;
pub(crate) mod text_length;
pub(crate) mod tiny_units;
pub(crate) mod wrapper_groups;
pub(crate) mod zero_lengths;

/// Functions that several reproductions need.
#[cfg(test)]
pub(crate) mod upstream {
    use resvg::tiny_skia::{Pixmap, Transform};
    use usvg::{Options, Tree};

    /// The tree that usvg makes of these elements, in a drawing of 100 by 100.
    pub(crate) fn tree(body: &str) -> Tree {
        let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>{body}</svg>");
        Tree::from_str(&svg, &Options::default()).expect("the drawing is valid")
    }

    /// The first row and the first column that resvg paints in a drawing.
    pub(crate) fn first_painted(tree: &Tree) -> [u32; 2] {
        let mut pixmap = Pixmap::new(100, 100).expect("it has pixels");
        resvg::render(tree, Transform::identity(), &mut pixmap.as_mut());
        let is_painted = |x, y| pixmap.pixel(x, y).is_some_and(|pixel| pixel.alpha() > 0);
        let first = |is_painted: &dyn Fn(u32, u32) -> bool| {
            (0..100).find(|a| (0..100).any(|b| is_painted(*a, b))).expect("something is painted")
        };
        [first(&|y, x| is_painted(x, y)), first(&is_painted)]
    }
}
