//! The boxes of paths: the specification against others.

mod accuracy;
mod cases;

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::{PathBbox, PathStreams, StreamLayout, path_bboxes, path_boxes};
use kurbo::{Affine, BezPath, Stroke};
use peniko::Fill;
use vello_encoding::{Encoding, Transform, resolve_solid_paths_only};

/// The words of an encoding without late bound resources.
fn packed(encoding: &Encoding) -> (Vec<u32>, StreamLayout) {
    let mut bytes = Vec::new();
    let layout = resolve_solid_paths_only(encoding, &mut bytes);
    let words = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    (words, bytemuck::cast(layout))
}

fn bounds(encoding: &Encoding) -> Vec<Aabb> {
    let (words, layout) = packed(encoding);
    path_boxes(&PathStreams::new(&words, layout).expect("the resolver's own layout"))
}

fn bboxes(encoding: &Encoding) -> Vec<PathBbox> {
    let (words, layout) = packed(encoding);
    path_bboxes(&PathStreams::new(&words, layout).expect("the resolver's own layout"))
}

fn encode(encoding: &mut Encoding, path: &BezPath, transform: Affine, stroke: Option<&Stroke>) {
    encoding.encode_transform(Transform::from_kurbo(&transform));
    match stroke {
        Some(stroke) => assert!(encoding.encode_stroke_style(stroke), "the line has a width"),
        None => encoding.encode_fill_style(Fill::NonZero),
    }
    if !encoding.encode_shape(path, stroke.is_none()) {
        encoding.encode_empty_shape();
    }
    encoding.encode_color(peniko::Color::BLACK);
}

fn fill_bounds(path: &BezPath, transform: Affine) -> Aabb {
    let mut encoding = Encoding::new();
    encode(&mut encoding, path, transform, None);
    bounds(&encoding)[0]
}

fn stroke_bounds(path: &BezPath, transform: Affine, stroke: &Stroke) -> Aabb {
    let mut encoding = Encoding::new();
    encode(&mut encoding, path, transform, Some(stroke));
    bounds(&encoding)[0]
}

fn path(d: &str) -> BezPath {
    BezPath::from_svg(d).expect("a path")
}
