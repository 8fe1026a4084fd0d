//! Loaded drawings with their boxes.

use std::ops::RangeBounds;

use boxwood_cpu::paths::{self, PathStreams};
use boxwood_cpu::{Aabb, Boxes, ElementKind};
use boxwood_svg::{Deadline, Drawing, Error, Fonts, Options, Quantity, Role, Within, load};
use kurbo::{Affine, Rect};

/// A loaded drawing and its boxes.
pub(crate) struct Loaded {
    pub(crate) drawing: Drawing,
    pub(crate) boxes: Boxes,
}

/// Options that give the same result on every machine.
pub(crate) fn options() -> Options {
    Options { fonts: Fonts::Bundled, ..Options::default() }
}

/// The error of loading these bytes.
#[track_caller]
pub(crate) fn error(bytes: &[u8]) -> Error {
    load(bytes, &options()).expect_err("this is not a drawing")
}

/// Asserts that loading failed at a limit of this quantity, with a count in this range.
#[track_caller]
pub(crate) fn assert_exceeds(error: &Error, quantity: Quantity, counts: impl RangeBounds<f64>) {
    let Error::Limit(found) = error else { panic!("{error} is not a limit") };
    assert!(found.quantity == quantity && counts.contains(&found.count), "{found:?}");
    let numbers = [found.count, found.limit].map(|number| format!("{number:.0}"));
    assert!(numbers.iter().all(|number| error.to_string().contains(number)), "{error}");
}

/// The text of a drawing of 300 by 300 with these elements.
pub(crate) fn svg(body: &str) -> Vec<u8> {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">{body}</svg>"#).into_bytes()
}

impl Loaded {
    /// The drawing of 300 by 300 with these elements.
    pub(crate) fn of(body: &str) -> Self {
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
                width="300" height="300">{body}</svg>"#
        );
        Self::whole(svg.as_bytes())
    }

    /// The indices of the sources with this id or path.
    pub(crate) fn named(&self, name: &str) -> Vec<u32> {
        let named = (0..).zip(self.drawing.named(name)).take(self.drawing.sources.len());
        named.filter_map(|(index, is_named)| is_named.then_some(index)).collect()
    }

    /// The drawing in these bytes.
    pub(crate) fn whole(svg: &[u8]) -> Self {
        Self::new(load(svg, &options()).expect("the drawing loads"))
    }

    /// A drawing with its boxes.
    pub(crate) fn new(drawing: Drawing) -> Self {
        let boxes = boxwood_cpu::specification::boxes(&drawing.elements);
        Self { drawing, boxes }
    }

    /// The union of all clipped leaf boxes.
    pub(crate) fn ink(&self) -> Aabb {
        self.boxes.group_boxes[0]
    }

    /// The union of the boxes of the leaves of an SVG element, before clipping.
    pub(crate) fn leaf(&self, name: &str) -> Aabb {
        self.leaves(name).map(|i| self.drawing.elements.boxes()[i]).fold(Aabb::EMPTY, Aabb::union)
    }

    /// The union of the clipped boxes of the leaves of an SVG element.
    pub(crate) fn clipped(&self, name: &str) -> Aabb {
        self.leaves(name).map(|i| self.boxes.clipped_boxes[i]).fold(Aabb::EMPTY, Aabb::union)
    }

    /// The clip box of the innermost node of an SVG element.
    pub(crate) fn clip(&self, name: &str) -> Aabb {
        self.boxes.clip_boxes[self.begins(name).last().expect("it has a node")]
    }

    /// The group box of the outermost node of an SVG element.
    pub(crate) fn group(&self, name: &str) -> Aabb {
        self.boxes.group_boxes[self.begins(name).next().expect("it has a node")]
    }

    /// The roles of the elements of an SVG element, without ends.
    pub(crate) fn roles(&self, name: &str) -> Vec<Role> {
        self.elements(name)
            .filter(|&i| self.drawing.elements.kind(i) != ElementKind::End)
            .map(|i| self.drawing.table[i].role)
            .collect()
    }

    /// The marks of the elements of an SVG element.
    pub(crate) fn withins(&self, name: &str) -> Vec<Within> {
        self.elements(name).map(|i| self.drawing.table[i].within).collect()
    }

    /// The box of the pixels that are mostly covered in resvg's picture of the viewport, at four
    /// pixels per px.
    #[track_caller]
    pub(crate) fn ink_at_4(&self) -> [f64; 4] {
        self.opaquer_than_at_4(127)
    }

    /// The box of the pixels with a larger alpha than this in the same picture.
    #[track_caller]
    pub(crate) fn opaquer_than_at_4(&self, alpha: u8) -> [f64; 4] {
        const SIDE: u16 = 1_200;
        let mut image = vec![0; 4 * usize::from(SIDE) * usize::from(SIDE)];
        let (size, scale) = ([SIDE.into(); 2], Affine::scale(4.0));
        self.drawing.draw_tree(&mut image, size, scale, &Deadline::default()).expect("it is quick to draw");
        let pixels =
            (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| [x, y].map(f64::from))).zip(image.chunks(4));
        let inked =
            pixels.filter(|(_, pixel)| pixel[3] > alpha).map(|([x, y], _)| Rect::new(x, y, x + 1.0, y + 1.0));
        let ink = inked.reduce(|a, b| a.union(b)).expect("something is painted");
        [ink.x0, ink.y0, ink.x1, ink.y1].map(|edge| edge / 4.0)
    }

    fn leaves<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.elements(name).filter(|&i| self.drawing.elements.kind(i) == ElementKind::Leaf)
    }

    /// Indices into the node stream.
    fn begins<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.elements(name)
            .filter(|&i| self.drawing.elements.kind(i) == ElementKind::Begin)
            .filter(|&i| self.drawing.table[i].within != Within::Mask)
            .map(|i| self.boxes.ranks[i] as usize)
    }

    fn elements<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let source = |i: usize| self.drawing.table[i].source as usize;
        (0..self.drawing.table.len()).filter(move |&i| self.drawing.sources[source(i)].name == name)
    }
}

/// The boxes of the paths in the encoding of a drawing.
pub(crate) fn path_boxes(drawing: &Drawing) -> Vec<Aabb> {
    let mut bytes = Vec::new();
    let mut resolver = vello_encoding::Resolver::new();
    let (layout, ..) = resolver.resolve(&drawing.encoding, &mut bytes);
    let words: Vec<u32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    let streams = PathStreams::new(&words, bytemuck::cast(layout)).expect("the layout of the resolver");
    paths::twin::path_boxes(&streams)
}

/// Asserts that a box is the expected one, except for the rounding of `f32`.
#[track_caller]
pub(crate) fn assert_near(actual: Aabb, [x0, y0, x1, y1]: [f64; 4]) {
    assert_within(actual, [x0, y0, x1, y1], 1e-4);
}

/// Asserts that a box contains the expected one, and is larger by at most `slack` on each side.
#[track_caller]
pub(crate) fn assert_within(actual: Aabb, [x0, y0, x1, y1]: [f64; 4], slack: f64) {
    let excess = [
        x0 - f64::from(actual.x0),
        y0 - f64::from(actual.y0),
        f64::from(actual.x1) - x1,
        f64::from(actual.y1) - y1,
    ];
    let fits = excess.iter().all(|e| (-1e-4..=slack).contains(e));
    assert!(fits, "{actual:?} is not [{x0}, {y0}, {x1}, {y1}]");
}
