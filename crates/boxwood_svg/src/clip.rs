//! Clip paths as shapes.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, PathEl, Point, Shape};
use peniko::Fill;
use usvg::{ClipPath, Group, MaskType, Node};

use crate::drawing::{ElementInfo, Role, Within};
use crate::encode::ClipShape;
use crate::flatten::{Place, Walk};
use crate::leaf::fill_rule;
use crate::paint::Paint;
use crate::path::{affine, area, bez_path, bounds, fill_box, is_in_range};
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

/// A node of a clip path.
pub(crate) struct Clip<'c> {
    pub(crate) shape: ClipShape,
    /// What is let through, where that is less than the shape.
    pieces: Vec<Piece<'c>>,
}

impl From<ClipShape> for Clip<'_> {
    fn from(shape: ClipShape) -> Self {
        Self { shape, pieces: Vec::new() }
    }
}

/// The most pieces of which each is held against each other.
const MAX_COMPARED: usize = 256;

/// How far an outline may turn to the other side and still be convex, in radians squared: the rounding of `f32`.
const TURN_TOLERANCE: f64 = 1e-5;

impl Walk {
    /// Adds the nodes that a clip path is the intersection of, the outermost first.
    ///
    /// A clip path with one child is one shape. The union of several is one path where that lets the same through; elsewhere it
    /// is the pieces, drawn as a mask.
    pub(crate) fn clip_shapes<'c>(
        &mut self,
        clip_path: &'c ClipPath,
        scene_from_user: Affine,
        clips: &mut Vec<Clip<'c>>,
    ) {
        if !self.is_in_time() {
            return;
        }
        if let Some(outer) = clip_path.clip_path() {
            self.clip_shapes(outer, scene_from_user, clips);
        }
        let mut pieces = Vec::new();
        let scene_from_clip = scene_from_user * affine(clip_path.transform());
        gather(clip_path.root(), scene_from_clip, &mut Vec::new(), &mut pieces);
        match <[Piece<'_>; 1]>::try_from(pieces) {
            Ok([piece]) => {
                for (own, scene_from_group) in &piece.own_clips {
                    self.clip_shapes(own, *scene_from_group, clips);
                }
                clips.push(Clip::from(ClipShape {
                    path: piece.path,
                    rule: piece.rule,
                    scene_from_path: piece.scene_from_path,
                    shape_box: piece.fill_box,
                }));
            }
            Err(pieces) => clips.push(self.union(pieces)),
        }
    }

    /// The union of the pieces.
    fn union<'c>(&mut self, pieces: Vec<Piece<'c>>) -> Clip<'c> {
        let own_boxes: Vec<Aabb> = pieces
            .iter()
            .map(|piece| {
                let own_clips = piece.own_clips.iter();
                own_clips
                    .fold(piece.fill_box, |b, (own, transform)| b.intersect(self.clip_box(own, *transform)))
            })
            .collect();
        let shape_box = own_boxes.iter().copied().fold(Aabb::EMPTY, Aabb::union);
        if !is_one_path(&pieces, &own_boxes) {
            // An empty box has no rectangle, and a shape without area hides everything.
            let shape = ClipShape::rect(area(shape_box).unwrap_or_default(), Affine::IDENTITY);
            return Clip { shape: ClipShape { shape_box, ..shape }, pieces };
        }
        let mut path = BezPath::new();
        for (piece, own_box) in pieces.into_iter().zip(own_boxes) {
            let Some(window) = area(own_box) else { continue };
            let mut of_piece = piece.scene_from_path * piece.path;
            if !piece.own_clips.is_empty() {
                of_piece = cut(&of_piece, window, cut_tolerance(&of_piece));
            }
            // Where pieces overlap, their windings must not cancel.
            path.extend(if of_piece.area() < 0.0 { of_piece.reverse_subpaths() } else { of_piece });
        }
        Clip::from(ClipShape { path, rule: Fill::NonZero, scene_from_path: Affine::IDENTITY, shape_box })
    }

    /// Ends the node of a clip path.
    pub(crate) fn end_clip(&mut self, clip: &Clip<'_>, source: u32) {
        // resvg has applied the clip path of what it draws.
        if !clip.pieces.is_empty() && !self.streams.is_hidden {
            self.mask_to_pieces(clip, source);
        }
        self.streams.end();
    }

    /// Masks what is in the node of a clip path to the pieces of that.
    fn mask_to_pieces(&mut self, clip: &Clip<'_>, source: u32) {
        if self.streams.are_masks_full() {
            return self.warn(WarningKind::Mask);
        }
        let around = std::mem::replace(&mut self.streams.within, Within::Mask);
        self.streams.begin_mask(&clip.shape, MaskType::Alpha, source);
        for piece in &clip.pieces {
            let mut own_clips = Vec::new();
            for (own, scene_from_group) in &piece.own_clips {
                self.clip_shapes(own, *scene_from_group, &mut own_clips);
            }
            for own in &own_clips {
                self.streams.begin_clip(&own.shape, None, source);
            }
            let place = Place { scene_from_node: piece.scene_from_path, barrier: None };
            let info = ElementInfo::new(source, Role::Fill);
            self.fill_near(&piece.path, piece.rule, &Paint::opaque(), place, piece.fill_box, info);
            for own in own_clips.iter().rev() {
                self.end_clip(own, source);
            }
        }
        self.streams.end();
        self.streams.within = around;
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

/// Whether the pieces, cut to the boxes of their own clip paths and put one after the other, are the non-zero interior of one
/// path.
fn is_one_path(pieces: &[Piece<'_>], own_boxes: &[Aabb]) -> bool {
    // Each box would be held against each.
    let is_alone = |index: usize| {
        let others = own_boxes.iter().enumerate().filter(|(other, _)| *other != index);
        own_boxes.len() <= MAX_COMPARED
            && others.map(|(_, other)| own_boxes[index].intersect(*other)).all(Aabb::is_empty)
    };
    pieces.iter().enumerate().all(|(index, piece)| {
        let is_rect = || is_upright_rect(&piece.path, piece.scene_from_path);
        (piece.rule == Fill::NonZero || is_rect())
            && piece.own_clips.iter().all(|(clip, scene_from_user)| is_cut_by_its_box(clip, *scene_from_user))
            // Elsewhere it could wind against another.
            && (is_convex(&piece.path) || is_alone(index))
    })
}

/// Whether a clip path lets through what is in its box.
fn is_cut_by_its_box(clip: &ClipPath, scene_from_user: Affine) -> bool {
    let mut pieces = Vec::new();
    gather(clip.root(), scene_from_user * affine(clip.transform()), &mut Vec::new(), &mut pieces);
    match &pieces[..] {
        [only] => {
            clip.clip_path().is_none()
                && only.own_clips.is_empty()
                && is_upright_rect(&only.path, only.scene_from_path)
        }
        _ => false,
    }
}

/// Whether a path is one convex outline: the polygon of its control points turns to one side all the way, and once around.
fn is_convex(path: &BezPath) -> bool {
    let mut points: Vec<Point> = Vec::new();
    for (index, element) in path.elements().iter().enumerate() {
        match *element {
            PathEl::MoveTo(_) if index > 0 => return false,
            PathEl::MoveTo(a) | PathEl::LineTo(a) => points.push(a),
            PathEl::QuadTo(a, b) => points.extend([a, b]),
            PathEl::CurveTo(a, b, c) => points.extend([a, b, c]),
            PathEl::ClosePath => {}
        }
    }
    points.dedup();
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let n = points.len();
    let side = |i: usize| points[(i + 1) % n] - points[i % n];
    let mut turned = 0.0;
    for i in 0..n {
        let turn = side(i).cross(side(i + 1)).atan2(side(i).dot(side(i + 1)));
        if turn * turned < -TURN_TOLERANCE {
            return false;
        }
        turned += turn;
    }
    (turned.abs() - std::f64::consts::TAU).abs() < 0.1
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
