//! Conversions from usvg's types to kurbo's and peniko's.

use std::sync::Arc;

use kurbo::{Affine, BezPath, Point, Rect};
use peniko::{Blob, ImageAlphaType, ImageBrush, ImageData, ImageFormat};
use usvg::tiny_skia_path::{Path, PathSegment, Point as PathPoint};
use usvg::{Size, Transform};

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

pub(crate) fn rect(rect: usvg::Rect) -> Rect {
    Rect::new(rect.left().into(), rect.top().into(), rect.right().into(), rect.bottom().into())
}

/// The viewport of a drawing with this size, or the rectangle of an image, in its own space.
pub(crate) fn sized(size: Size) -> Rect {
    Rect::new(0.0, 0.0, size.width().into(), size.height().into())
}

/// The union of two rectangles, `None` for nothing.
pub(crate) fn union(a: Option<Rect>, b: Option<Rect>) -> Option<Rect> {
    a.into_iter().chain(b).reduce(|a, b| a.union(b))
}

/// An image of pixels with four bytes each, row by row.
pub(crate) fn rgba8_image(pixels: Vec<u8>, [width, height]: [u32; 2], alpha: ImageAlphaType) -> ImageBrush {
    let (data, format, alpha_type) = (Blob::new(Arc::new(pixels)), ImageFormat::Rgba8, alpha);
    ImageBrush::new(ImageData { data, format, alpha_type, width, height })
}
