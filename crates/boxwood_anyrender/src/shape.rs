//! Stored shapes.

use std::iter::Copied;
use std::slice;

use kurbo::{BezPath, PathEl, Point, Rect, Shape};

/// A shape of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ShapeSlot {
    Rect(Rect),
    /// The first element of a path, and the end.
    Path(usize, usize),
}

/// A shape with its elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StoredShape<'a> {
    Rect(Rect),
    Path(&'a [PathEl]),
}

/// The elements of a stored shape.
pub(crate) enum Elements<'a> {
    Rect(<Rect as Shape>::PathElementsIter<'a>),
    Path(Copied<slice::Iter<'a, PathEl>>),
}

impl Iterator for Elements<'_> {
    type Item = PathEl;

    fn next(&mut self) -> Option<PathEl> {
        match self {
            Self::Rect(elements) => elements.next(),
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
            Self::Path(path) => Elements::Path(path.iter().copied()),
        }
    }

    fn area(&self) -> f64 {
        match self {
            Self::Rect(rect) => rect.area(),
            Self::Path(path) => path.area(),
        }
    }

    fn perimeter(&self, accuracy: f64) -> f64 {
        match self {
            Self::Rect(rect) => rect.perimeter(accuracy),
            Self::Path(path) => path.perimeter(accuracy),
        }
    }

    fn winding(&self, point: Point) -> i32 {
        match self {
            Self::Rect(rect) => rect.winding(point),
            // A fill closes all subpaths, which the winding number of kurbo takes as they are.
            Self::Path(path) => closed(path).winding(point),
        }
    }

    fn bounding_box(&self) -> Rect {
        match self {
            Self::Rect(rect) => rect.abs(),
            Self::Path(path) => path.bounding_box(),
        }
    }

    fn as_rect(&self) -> Option<Rect> {
        match self {
            Self::Rect(rect) => Some(*rect),
            Self::Path(_) => None,
        }
    }
}
