//! The shapes of a clip path.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, Rect, Shape};
use peniko::Fill;
use usvg::{ClipPath, Group, Node};

use crate::geometry::{affine, bez_path, fill_box, fill_rule, is_in_range, rect_box};

/// The shape of a clip node.
#[derive(Clone, Debug)]
pub(crate) struct ClipShape {
    /// The outline. Without segments, it hides everything.
    pub(crate) path: BezPath,
    pub(crate) rule: Fill,
    pub(crate) scene_from_path: Affine,
    /// The box of the shape, in scene space.
    pub(crate) shape_box: Aabb,
}

impl ClipShape {
    /// A rectangle, which the transform may rotate.
    pub(crate) fn rect(rect: Rect, scene_from_rect: Affine) -> Self {
        Self {
            path: rect.to_path(0.1),
            rule: Fill::NonZero,
            scene_from_path: scene_from_rect,
            shape_box: rect_box(rect, scene_from_rect),
        }
    }
}

/// A path inside of a clip path. The clip path is the union of its pieces.
pub(crate) struct Piece<'c> {
    /// The path. Its box is the box of its interior.
    pub(crate) shape: ClipShape,
    /// The clip paths that apply to this piece alone, each with the transform of the group that has
    /// it.
    pub(crate) own_clips: Vec<(&'c ClipPath, Affine)>,
}

/// The visible paths with an interior in a clip path. Images and strokes do not clip.
pub(crate) fn pieces(clip_path: &ClipPath, scene_from_user: Affine) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    gather(clip_path.root(), scene_from_user * affine(clip_path.transform()), &mut Vec::new(), &mut pieces);
    pieces
}

fn gather<'c>(
    group: &'c Group,
    scene_from_group: Affine,
    clips: &mut Vec<(&'c ClipPath, Affine)>,
    pieces: &mut Vec<Piece<'c>>,
) {
    for node in group.children() {
        let child = match node {
            Node::Path(path) => {
                let Some(fill) = path.fill().filter(|_| path.is_visible()) else { continue };
                let (path, rule) = (bez_path(path.data()), fill_rule(fill.rule()));
                let shape_box = fill_box(&path, scene_from_group);
                if !shape_box.is_empty() {
                    let shape = ClipShape { path, rule, scene_from_path: scene_from_group, shape_box };
                    pieces.push(Piece { shape, own_clips: clips.clone() });
                }
                continue;
            }
            Node::Text(text) => text.flattened(),
            Node::Group(child) => child,
            Node::Image(_) => continue,
        };
        let scene_from_child = scene_from_group * affine(child.transform());
        if !is_in_range(scene_from_child) || affine(child.transform()).determinant() == 0.0 {
            continue;
        }
        let n_clips = clips.len();
        clips.extend(child.clip_path().map(|clip| (clip, scene_from_child)));
        gather(child, scene_from_child, clips, pieces);
        clips.truncate(n_clips);
    }
}
