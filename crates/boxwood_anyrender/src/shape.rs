//! Stored shapes.

use std::iter::Copied;
use std::slice;

use kurbo::{BezPath, Circle, PathEl, Point, Rect, RoundedRect, Shape};

/// A shape of a command. Renderers have faster ways to draw shapes that they recognize.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ShapeSlot {
    Rect(Rect),
    RoundedRect(RoundedRect),
    Circle(Circle),
    /// The first element of a path, and the end.
    Path(usize, usize),
}

/// A shape with its elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StoredShape<'a> {
    Rect(Rect),
    RoundedRect(RoundedRect),
    Circle(Circle),
    Path(&'a [PathEl]),
}

/// The elements of a stored shape.
#[expect(clippy::large_enum_variant, reason = "an iterator is on the stack, and only for a short time")]
pub(crate) enum Elements<'a> {
    Rect(<Rect as Shape>::PathElementsIter<'a>),
    RoundedRect(<RoundedRect as Shape>::PathElementsIter<'a>),
    Circle(<Circle as Shape>::PathElementsIter<'a>),
    Path(Copied<slice::Iter<'a, PathEl>>),
}

impl Iterator for Elements<'_> {
    type Item = PathEl;

    fn next(&mut self) -> Option<PathEl> {
        match self {
            Self::Rect(elements) => elements.next(),
            Self::RoundedRect(elements) => elements.next(),
            Self::Circle(elements) => elements.next(),
            Self::Path(elements) => elements.next(),
        }
    }
}

/// A path with all subpaths closed.
fn closed(path: &[PathEl]) -> BezPath {
    let with_close = path.iter().enumerate().flat_map(|(index, element)| {
        let ends = matches!(path.get(index + 1), Some(PathEl::MoveTo(_)) | None);
        [Some(*element), ends.then_some(PathEl::ClosePath)].into_iter().flatten()
    });
    with_close.collect()
}

impl Shape for StoredShape<'_> {
    type PathElementsIter<'iter>
        = Elements<'iter>
    where
        Self: 'iter;

    fn path_elements(&self, tolerance: f64) -> Elements<'_> {
        match self {
            Self::Rect(rect) => Elements::Rect(rect.path_elements(tolerance)),
            Self::RoundedRect(rect) => Elements::RoundedRect(rect.path_elements(tolerance)),
            Self::Circle(circle) => Elements::Circle(circle.path_elements(tolerance)),
            Self::Path(path) => Elements::Path(path.iter().copied()),
        }
    }

    fn area(&self) -> f64 {
        match self {
            Self::Rect(rect) => rect.area(),
            Self::RoundedRect(rect) => rect.area(),
            Self::Circle(circle) => circle.area(),
            Self::Path(path) => path.area(),
        }
    }

    fn perimeter(&self, accuracy: f64) -> f64 {
        match self {
            Self::Rect(rect) => rect.perimeter(accuracy),
            Self::RoundedRect(rect) => rect.perimeter(accuracy),
            Self::Circle(circle) => circle.perimeter(accuracy),
            Self::Path(path) => path.perimeter(accuracy),
        }
    }

    fn winding(&self, point: Point) -> i32 {
        match self {
            Self::Rect(rect) => rect.winding(point),
            Self::RoundedRect(rect) => rect.winding(point),
            Self::Circle(circle) => circle.winding(point),
            // A fill closes all subpaths, which the winding number of kurbo takes as they are.
            Self::Path(path) => closed(path).winding(point),
        }
    }

    fn bounding_box(&self) -> Rect {
        match self {
            Self::Rect(rect) => rect.abs(),
            Self::RoundedRect(rect) => rect.bounding_box(),
            Self::Circle(circle) => circle.bounding_box(),
            Self::Path(path) => path.bounding_box(),
        }
    }

    fn as_rect(&self) -> Option<Rect> {
        if let Self::Rect(rect) = self { Some(*rect) } else { None }
    }

    fn as_rounded_rect(&self) -> Option<RoundedRect> {
        if let Self::RoundedRect(rect) = self { Some(*rect) } else { None }
    }

    fn as_circle(&self) -> Option<Circle> {
        if let Self::Circle(circle) = self { Some(*circle) } else { None }
    }

    fn as_path_slice(&self) -> Option<&[PathEl]> {
        if let Self::Path(path) = self { Some(path) } else { None }
    }
}
