//! Clip paths as clip nodes.
//!
//! A clip path with one child is one shape. A clip path with several children is their union. If a
//! single path lets the same through, the union is that path. Otherwise it is a rectangle, and the
//! children are drawn as a mask inside of it.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, PathSeg, Shape};
use peniko::{Color, Fill};
use usvg::{ClipPath, MaskType};

use crate::boxes::clip_paths::{ClipShape, Piece, pieces};
use crate::geometry::{area, bounds, control_points, cut, subpaths};
use crate::guard::limits::MAX_COMPARED_PIECES;
use crate::lower::context::{Context, Output, Placement};
use crate::lower::leaves::fill_near;
use crate::lower::paint::Paint;
use crate::table::Role;
use crate::warnings::WarningKind;

/// How far a convex outline may turn back: the product of that turn and of the turn so far, in
/// radians squared. The rounding of `f32` coordinates makes directions inexact.
const TURN_TOLERANCE: f64 = 1e-5;

/// How much the area of an axis-aligned rectangle may differ from that of its bounds, relative to
/// it. Areas are computed in `f64`, with far smaller errors.
const AREA_TOLERANCE: f64 = 1e-9;

/// A node of a clip path.
pub(crate) struct Clip<'c> {
    pub(crate) shape: ClipShape,
    /// The pieces to mask with, if the clip path lets less through than the shape.
    pub(crate) pieces: Vec<Piece<'c>>,
}

/// Adds the nodes whose intersection is a clip path, the outermost first.
pub(crate) fn add_clips<'c>(
    cx: &Context<'_>,
    out: &mut Output,
    clip_path: &'c ClipPath,
    scene_from_user: Affine,
    clips: &mut Vec<Clip<'c>>,
) {
    if cx.deadline.has_passed() {
        return;
    }
    if let Some(outer) = clip_path.clip_path() {
        add_clips(cx, out, outer, scene_from_user, clips);
    }
    match <[Piece<'_>; 1]>::try_from(pieces(clip_path, scene_from_user)) {
        Ok([piece]) => {
            for (own, scene_from_group) in &piece.own_clips {
                add_clips(cx, out, own, *scene_from_group, clips);
            }
            clips.push(Clip { shape: piece.shape, pieces: Vec::new() });
        }
        Err(pieces) => clips.push(union(out, pieces)),
    }
}

/// The union of the pieces.
fn union<'c>(out: &mut Output, pieces: Vec<Piece<'c>>) -> Clip<'c> {
    let boxes: Vec<Aabb> = pieces.iter().map(|piece| out.ink.piece_box(piece)).collect();
    let shape_box = boxes.iter().copied().fold(Aabb::EMPTY, Aabb::union);
    if !is_one_path(&pieces, &boxes) {
        // An empty box becomes a shape without area, which hides everything.
        let shape = ClipShape::rect(area(shape_box).unwrap_or_default(), Affine::IDENTITY);
        return Clip { shape: ClipShape { shape_box, ..shape }, pieces };
    }
    let mut path = BezPath::new();
    for (piece, piece_box) in pieces.into_iter().zip(boxes) {
        let Some(rect) = area(piece_box) else { continue };
        let mut in_scene = piece.shape.scene_from_path * piece.shape.path;
        if !piece.own_clips.is_empty() {
            in_scene = cut(&in_scene, rect);
        }
        // Pieces that overlap must wind the same way.
        path.extend(if in_scene.area() < 0.0 { in_scene.reverse_subpaths() } else { in_scene });
    }
    let shape = ClipShape { path, rule: Fill::NonZero, scene_from_path: Affine::IDENTITY, shape_box };
    Clip { shape, pieces: Vec::new() }
}

/// Ends the node of a clip path.
pub(crate) fn end_clip(cx: &Context<'_>, out: &mut Output, clip: &Clip<'_>) {
    // resvg has already applied the clip paths inside of a raster image.
    if !clip.pieces.is_empty() && !out.streams.is_hidden {
        mask_with_pieces(cx, out, clip);
    }
    out.streams.end();
}

/// Masks the contents of the node of a clip path with its pieces.
fn mask_with_pieces(cx: &Context<'_>, out: &mut Output, clip: &Clip<'_>) {
    if out.streams.are_masks_full() {
        return out.warn(cx, WarningKind::Mask);
    }
    let around = out.streams.begin_mask(&clip.shape, MaskType::Alpha);
    for piece in &clip.pieces {
        let mut own_clips = Vec::new();
        for (own, scene_from_group) in &piece.own_clips {
            add_clips(cx, out, own, *scene_from_group, &mut own_clips);
        }
        for own in &own_clips {
            out.streams.begin(Some(&own.shape), None);
        }
        let ClipShape { path, rule, scene_from_path, shape_box } = &piece.shape;
        let placement = Placement { scene_from_node: *scene_from_path, filter_box: None };
        fill_near(cx, out, path, *rule, &Paint::solid(Color::BLACK), placement, *shape_box, Role::Fill);
        for own in own_clips.iter().rev() {
            end_clip(cx, out, own);
        }
    }
    out.streams.end_mask(around);
}

/// Whether the union of the pieces, each cut to its box, is the interior of one path that contains
/// all of them.
fn is_one_path(pieces: &[Piece<'_>], boxes: &[Aabb]) -> bool {
    let is_alone = |index: usize| {
        let others = boxes.iter().enumerate().filter(|(other, _)| *other != index);
        boxes.len() <= MAX_COMPARED_PIECES
            && others.map(|(_, other)| boxes[index].intersect(*other)).all(Aabb::is_empty)
    };
    pieces.iter().enumerate().all(|(index, piece)| {
        (piece.shape.rule == Fill::NonZero || is_axis_aligned_rect(&piece.shape))
            && piece.own_clips.iter().all(|(clip, scene_from_user)| is_its_box(clip, *scene_from_user))
            // A piece that is not convex could wind against an overlapping one.
            && (is_convex(&piece.shape.path) || is_alone(index))
    })
}

/// Whether a clip path lets everything in its box through.
fn is_its_box(clip_path: &ClipPath, scene_from_user: Affine) -> bool {
    let is_rect = |piece: &Piece<'_>| piece.own_clips.is_empty() && is_axis_aligned_rect(&piece.shape);
    clip_path.clip_path().is_none()
        && matches!(&pieces(clip_path, scene_from_user)[..], [only] if is_rect(only))
}

/// Whether a path is one convex outline: its control polygon turns to one side only, and once
/// around.
fn is_convex(path: &BezPath) -> bool {
    if subpaths(path).count() > 1 {
        return false;
    }
    let mut points: Vec<_> = control_points(path.elements()).collect();
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

/// Whether a shape is an axis-aligned rectangle in the scene.
fn is_axis_aligned_rect(shape: &ClipShape) -> bool {
    let (path, transform) = (&shape.path, shape.scene_from_path);
    let is_along_axis =
        |segment| matches!(transform * segment, PathSeg::Line(l) if l.p0.x == l.p1.x || l.p0.y == l.p1.y);
    // A path with five segments along the axes that covers its bounds.
    path.segments().count() <= 5
        && path.segments().all(is_along_axis)
        && bounds(path, transform).is_some_and(|b| {
            let area = (path.area() * transform.determinant()).abs();
            (area - b.area()).abs() <= AREA_TOLERANCE * b.area()
        })
}
