//! A drawing with its boxes.

use boxwood_cpu::{Aabb, Boxes, ElementKind};
use boxwood_svg::{Drawing, Error, Fonts, Options, Patience, Role, Within, load};
use kurbo::{Affine, Rect};

/// A loaded drawing, 300 by 300 unless it says otherwise, and its boxes.
pub(crate) struct Loaded {
    pub(crate) drawing: Drawing,
    pub(crate) boxes: Boxes,
}

/// The options that give the same scene on every machine.
pub(crate) fn options() -> Options {
    Options { fonts: Fonts::Bundled, ..Options::default() }
}

/// Why these bytes are refused.
#[track_caller]
pub(crate) fn error(bytes: &[u8]) -> Error {
    load(bytes, &options()).expect_err("this is not a drawing")
}

/// The text of a drawing with these elements, 300 by 300.
pub(crate) fn svg(body: &str) -> Vec<u8> {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">{body}</svg>"#).into_bytes()
}

impl Loaded {
    /// The drawing with these elements.
    pub(crate) fn of(body: &str) -> Self {
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
                width="300" height="300">{body}</svg>"#
        );
        Self::whole(svg.as_bytes())
    }

    /// The drawing in these bytes.
    pub(crate) fn whole(svg: &[u8]) -> Self {
        let drawing = load(svg, &options()).expect("the drawing loads");
        let boxes = boxwood_cpu::boxes(&drawing.elements);
        Self { drawing, boxes }
    }

    /// The union of all ink.
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

    /// The roles of the elements of an SVG element, ends left out.
    pub(crate) fn roles(&self, name: &str) -> Vec<Role> {
        self.elements(name)
            .filter(|&i| self.drawing.elements.kind(i) != ElementKind::End)
            .map(|i| self.drawing.table[i].role)
            .collect()
    }

    /// What the elements of an SVG element are the contents of.
    pub(crate) fn withins(&self, name: &str) -> Vec<Within> {
        self.elements(name).map(|i| self.drawing.table[i].within).collect()
    }

    /// The box of the pixels that are mostly covered, in resvg's picture of the viewport with four pixels a unit.
    #[track_caller]
    pub(crate) fn ink_at_4(&self) -> [f64; 4] {
        const SIDE: u16 = 1_200;
        let mut image = vec![0; 4 * usize::from(SIDE) * usize::from(SIDE)];
        let (size, scale) = ([SIDE.into(); 2], Affine::scale(4.0));
        self.drawing.draw_tree(&mut image, size, scale, &Patience::default()).expect("it is little to draw");
        let pixels =
            (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| [x, y].map(f64::from))).zip(image.chunks(4));
        let inked =
            pixels.filter(|(_, pixel)| pixel[3] > 127).map(|([x, y], _)| Rect::new(x, y, x + 1.0, y + 1.0));
        let ink = inked.reduce(|a, b| a.union(b)).expect("there is ink");
        [ink.x0, ink.y0, ink.x1, ink.y1].map(|edge| edge / 4.0)
    }

    fn leaves<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.elements(name).filter(|&i| self.drawing.elements.kind(i) == ElementKind::Leaf)
    }

    /// Places in the node stream.
    fn begins<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.elements(name)
            .filter(|&i| self.drawing.elements.kind(i) == ElementKind::Begin)
            .filter(|&i| self.drawing.table[i].within != Within::Mask)
            .map(|i| self.boxes.node_ranks[i] as usize)
    }

    fn elements<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let source = |i: usize| self.drawing.table[i].source as usize;
        (0..self.drawing.table.len()).filter(move |&i| self.drawing.sources[source(i)].name == name)
    }
}

/// Asserts that a box is the expected one, to the rounding of `f32`.
#[track_caller]
pub(crate) fn assert_near(actual: Aabb, [x0, y0, x1, y1]: [f64; 4]) {
    assert_within(actual, [x0, y0, x1, y1], 1e-4);
}

/// Asserts that a box holds the expected one and is larger by no more than `slack` on any side.
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
