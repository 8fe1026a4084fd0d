//! The pieces of a clip path.

use kurbo::Affine;
use usvg::{ClipPath, Group, Node};

use crate::geometry::{FilledPath, affine, scene_from_group};

/// A path inside of a clip path. The clip path is the union of its pieces.
pub(crate) struct Piece<'c> {
    /// The path. Its box is the box of its interior.
    pub(crate) shape: FilledPath,
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
    parent: &'c Group,
    scene_from_parent: Affine,
    clips: &mut Vec<(&'c ClipPath, Affine)>,
    pieces: &mut Vec<Piece<'c>>,
) {
    for node in parent.children() {
        let child = match node {
            Node::Path(path) => {
                let fill = path.fill().filter(|_| path.is_visible());
                let shape = fill.map(|fill| FilledPath::new(path, fill.rule(), scene_from_parent));
                if let Some(shape) = shape.filter(|shape| !shape.own_box.is_empty()) {
                    pieces.push(Piece { shape, own_clips: clips.clone() });
                }
                continue;
            }
            Node::Text(text) => text.flattened(),
            Node::Group(child) => child,
            Node::Image(_) => continue,
        };
        let Some(scene_from_child) = scene_from_group(child, scene_from_parent) else { continue };
        let n_clips = clips.len();
        clips.extend(child.clip_path().map(|clip| (clip, scene_from_child)));
        gather(child, scene_from_child, clips, pieces);
        clips.truncate(n_clips);
    }
}
