//! Path boxes against cases with known boxes, and against the specification.

mod accuracy;
mod cases;
mod oracle;

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::twin::{path_boxes, rounded_boxes};
use boxwood_cpu::paths::{PathStreams, RoundedBox, StreamLayout};
use kurbo::{Affine, BezPath, Stroke};
use peniko::Fill;
use vello_encoding::{Encoding, Transform, resolve_solid_paths_only};

/// The words and the layout of an encoding without resources.
fn packed(encoding: &Encoding) -> (Vec<u32>, StreamLayout) {
    let mut bytes = Vec::new();
    let layout = resolve_solid_paths_only(encoding, &mut bytes);
    let words = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    (words, bytemuck::cast(layout))
}

fn boxes_of(encoding: &Encoding) -> Vec<Aabb> {
    let (words, layout) = packed(encoding);
    path_boxes(&PathStreams::new(&words, layout).expect("the resolver's own layout"))
}

fn rounded_boxes_of(encoding: &Encoding) -> Vec<RoundedBox> {
    let (words, layout) = packed(encoding);
    rounded_boxes(&PathStreams::new(&words, layout).expect("the resolver's own layout"))
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

fn fill_box(path: &BezPath, transform: Affine) -> Aabb {
    let mut encoding = Encoding::new();
    encode(&mut encoding, path, transform, None);
    boxes_of(&encoding)[0]
}

fn stroke_box(path: &BezPath, transform: Affine, stroke: &Stroke) -> Aabb {
    let mut encoding = Encoding::new();
    encode(&mut encoding, path, transform, Some(stroke));
    boxes_of(&encoding)[0]
}

fn path(d: &str) -> BezPath {
    BezPath::from_svg(d).expect("a path")
}
