//! Clip paths as shapes.

use boxwood_layout::Aabb;
use kurbo::{Affine, BezPath, Rect, Shape};
use peniko::Fill;
use usvg::{ClipPath, Group, Node};

use crate::encode::ClipShape;
use crate::flatten::Walk;
use crate::leaf::fill_rule;
use crate::path::{affine, bez_path, bounds, fill_box, is_in_range};
use crate::polygon::{cut, cut_tolerance};
use crate::warnings::WarningKind;

/// A path that a clip path is the union of.
struct Piece<'c> {
    path: BezPath,
    rule: Fill,
    scene_from_path: Affine,
    /// The box of its interior.
    fill_box: Aabb,
    /// The clip paths that apply to this piece alone, each with the transform of the group that has it.
    own_clips: Vec<(&'c ClipPath, Affine)>,
}

impl Walk {
    /// Adds the shapes whose intersection is a clip path, the outermost first.
    ///
    /// Exact for a clip path with one child. The union of several is drawn as one path; where that is not exact, there
    /// is a warning. The boxes are exact always.
    pub(crate) fn clip_shapes(
        &mut self,
        clip_path: &ClipPath,
        scene_from_user: Affine,
        shapes: &mut Vec<ClipShape>,
    ) {
        if !self.is_in_time() {
            return;
        }
        if let Some(outer) = clip_path.clip_path() {
            self.clip_shapes(outer, scene_from_user, shapes);
        }
        let mut pieces = Vec::new();
        let scene_from_clip = scene_from_user * affine(clip_path.transform());
        gather(clip_path.root(), scene_from_clip, &mut Vec::new(), &mut pieces);
        match <[Piece<'_>; 1]>::try_from(pieces) {
            Ok([piece]) => {
                for (own, scene_from_group) in &piece.own_clips {
                    self.clip_shapes(own, *scene_from_group, shapes);
                }
                shapes.push(ClipShape {
                    path: piece.path,
                    rule: piece.rule,
                    scene_from_path: piece.scene_from_path,
                    shape_box: piece.fill_box,
                });
            }
            Err(pieces) => shapes.push(self.union(pieces)),
        }
    }

    /// The union of the pieces as one shape.
    fn union(&mut self, pieces: Vec<Piece<'_>>) -> ClipShape {
        let mut shape = ClipShape {
            path: BezPath::new(),
            rule: Fill::NonZero,
            scene_from_path: Affine::IDENTITY,
            shape_box: Aabb::EMPTY,
        };
        for piece in pieces {
            let own_box = piece
                .own_clips
                .iter()
                .fold(piece.fill_box, |b, (own, transform)| b.intersect(self.clip_box(own, *transform)));
            if own_box.is_empty() {
                continue;
            }
            shape.shape_box = shape.shape_box.union(own_box);
            let mut path = piece.scene_from_path * piece.path.clone();
            if !is_exact(&piece, &path) {
                self.warn(WarningKind::ClipUnion);
            }
            if !piece.own_clips.is_empty() {
                let window =
                    Rect::new(own_box.x0.into(), own_box.y0.into(), own_box.x1.into(), own_box.y1.into());
                path = cut(&path, window, cut_tolerance(&path));
            }
            // Where pieces overlap, their windings must not cancel.
            shape.path.extend(if path.area() < 0.0 { path.reverse_subpaths() } else { path });
        }
        shape
    }

    /// The box of a clip path: the union over its children of their box ∩ their own clip's, all ∩ the box of the clip
    /// path's own clip path.
    pub(crate) fn clip_box(&mut self, clip_path: &ClipPath, scene_from_user: Affine) -> Aabb {
        let key = (std::ptr::from_ref(clip_path).addr(), scene_from_user.as_coeffs().map(f64::to_bits));
        if let Some(known) = self.effect_boxes.get(&key) {
            return *known;
        }
        if !self.is_in_time() {
            return Aabb::EMPTY;
        }
        let outer = clip_path.clip_path().map_or(Aabb::PLANE, |outer| self.clip_box(outer, scene_from_user));
        let mut pieces = Vec::new();
        let scene_from_clip = scene_from_user * affine(clip_path.transform());
        gather(clip_path.root(), scene_from_clip, &mut Vec::new(), &mut pieces);
        let mut children = Aabb::EMPTY;
        for piece in &pieces {
            let mut piece_box = piece.fill_box;
            for (own, scene_from_group) in &piece.own_clips {
                piece_box = piece_box.intersect(self.clip_box(own, *scene_from_group));
            }
            children = children.union(piece_box);
        }
        let clip_box = children.intersect(outer);
        self.effect_boxes.insert(key, clip_box);
        clip_box
    }
}

/// Collects the visible paths with area below a group of a clip path. Images and strokes do not clip.
fn gather<'c>(
    group: &'c Group,
    scene_from_group: Affine,
    clips: &mut Vec<(&'c ClipPath, Affine)>,
    pieces: &mut Vec<Piece<'c>>,
) {
    for node in group.children() {
        match node {
            Node::Path(path) => {
                let Some(fill) = path.fill().filter(|_| path.is_visible()) else {
                    continue;
                };
                let shape = bez_path(path.data());
                let fill_box = fill_box(&shape, scene_from_group);
                if fill_box.is_empty() {
                    continue;
                }
                pieces.push(Piece {
                    path: shape,
                    rule: fill_rule(fill.rule()),
                    scene_from_path: scene_from_group,
                    fill_box,
                    own_clips: clips.clone(),
                });
            }
            Node::Text(text) => gather_below(text.flattened(), scene_from_group, clips, pieces),
            Node::Group(child) => gather_below(child, scene_from_group, clips, pieces),
            Node::Image(_) => {}
        }
    }
}

fn gather_below<'c>(
    group: &'c Group,
    scene_from_parent: Affine,
    clips: &mut Vec<(&'c ClipPath, Affine)>,
    pieces: &mut Vec<Piece<'c>>,
) {
    let scene_from_group = scene_from_parent * affine(group.transform());
    if !is_in_range(scene_from_group) || affine(group.transform()).determinant() == 0.0 {
        return;
    }
    let n_clips = clips.len();
    clips.extend(group.clip_path().map(|clip| (clip, scene_from_group)));
    gather(group, scene_from_group, clips, pieces);
    clips.truncate(n_clips);
}

/// Whether a piece keeps its interior when it is cut to the boxes of its own clip paths and becomes a part, `path`, of a
/// non-zero path.
fn is_exact(piece: &Piece<'_>, path: &BezPath) -> bool {
    (piece.rule == Fill::NonZero || is_upright_rect(path, Affine::IDENTITY))
        && piece.own_clips.iter().all(|(clip, scene_from_user)| {
            let mut pieces = Vec::new();
            gather(clip.root(), *scene_from_user * affine(clip.transform()), &mut Vec::new(), &mut pieces);
            match &pieces[..] {
                [only] => {
                    clip.clip_path().is_none()
                        && only.own_clips.is_empty()
                        && is_upright_rect(&only.path, only.scene_from_path)
                }
                _ => false,
            }
        })
}

/// Whether a path is a rectangle with sides along the axes, after the transform.
fn is_upright_rect(path: &BezPath, transform: Affine) -> bool {
    let mut segments = 0;
    let straight = path.segments().all(|segment| {
        segments += 1;
        let segment = transform * segment;
        matches!(segment, kurbo::PathSeg::Line(l) if l.p0.x == l.p1.x || l.p0.y == l.p1.y)
    });
    // A path that runs along the axes and covers its bounds.
    straight
        && segments <= 5
        && bounds(path, transform).is_some_and(|b| {
            let area = (path.area() * transform.determinant()).abs();
            (area - b.area()).abs() <= 1e-9 * b.area()
        })
}
