//! Conversions from usvg's types to kurbo's and peniko's.

use kurbo::{Affine, BezPath, Point, Rect};
use peniko::Fill;
use usvg::tiny_skia_path::{Path, PathSegment, Point as PathPoint};
use usvg::{FillRule, Image, NonZeroRect, Size, Transform, Tree};

pub(crate) fn affine(transform: Transform) -> Affine {
    let Transform { sx, kx, ky, sy, tx, ty } = transform;
    Affine::new([sx, ky, kx, sy, tx, ty].map(f64::from))
}

pub(crate) fn bez_path(path: &Path) -> BezPath {
    let point = |p: PathPoint| Point::new(p.x.into(), p.y.into());
    let mut converted = BezPath::with_capacity(path.len());
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => converted.move_to(point(p)),
            PathSegment::LineTo(p) => converted.line_to(point(p)),
            PathSegment::QuadTo(p1, p2) => converted.quad_to(point(p1), point(p2)),
            PathSegment::CubicTo(p1, p2, p3) => converted.curve_to(point(p1), point(p2), point(p3)),
            PathSegment::Close => converted.close_path(),
        }
    }
    converted
}

pub(crate) fn rect(rect: NonZeroRect) -> Rect {
    Rect::new(rect.left().into(), rect.top().into(), rect.right().into(), rect.bottom().into())
}

pub(crate) const fn fill_rule(rule: FillRule) -> Fill {
    match rule {
        FillRule::NonZero => Fill::NonZero,
        FillRule::EvenOdd => Fill::EvenOdd,
    }
}

/// The viewport of a drawing, in its own user space.
pub(crate) fn viewport(tree: &Tree) -> Rect {
    sized(tree.size())
}

/// The rectangle of an image, in its own space.
pub(crate) fn image_rect(image: &Image) -> Rect {
    sized(image.size())
}

fn sized(size: Size) -> Rect {
    Rect::new(0.0, 0.0, size.width().into(), size.height().into())
}
