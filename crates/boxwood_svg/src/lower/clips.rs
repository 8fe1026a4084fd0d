//! The nodes around the contents of groups, and clip paths as such nodes.
//!
//! A clip path with one child is one shape. A clip path with several children is their union. If a
//! single path lets the same through, the union is that path. Otherwise it is a rectangle, and the
//! children are drawn as a mask inside of it.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, Shape};
use peniko::{Color, Fill};
use usvg::{ClipPath, Mask, MaskType};
use vello_encoding::DrawBeginClip;

use crate::boxes::clip_paths::{Piece, pieces};
use crate::geometry::{FilledPath, area, control_points, cut};
use crate::guard::limits::MAX_COMPARED_PIECES;
use crate::lower::lowering::Lowering;
use crate::lower::paint::Paint;
use crate::table::{Clip, NodeEffects, Role};

/// How far a convex outline may turn back: the product of that turn and of the turn so far, in
/// radians squared. The rounding of `f32` coordinates makes directions inexact.
const TURN_TOLERANCE: f64 = 1e-5;

/// A node around the contents of a group.
#[derive(Default)]
pub(crate) struct GroupNode<'g> {
    /// The shape that it clips to, if it clips.
    pub(crate) shape: Option<FilledPath>,
    /// How it is composited, if it is.
    pub(crate) compositing: Option<DrawBeginClip>,
    /// The SVG effects that it applies.
    pub(crate) effects: NodeEffects,
    /// The mask to apply at its end, with the transform of its user space.
    pub(crate) mask: Option<(&'g Mask, Affine)>,
    /// The pieces to mask with, if it belongs to a clip path that lets less through than the shape.
    pub(crate) pieces: Vec<Piece<'g>>,
}

impl GroupNode<'_> {
    /// A node that only clips.
    pub(crate) fn clip(shape: FilledPath, clip: Clip) -> Self {
        Self { shape: Some(shape), effects: NodeEffects::clip(clip), ..Self::default() }
    }
}

impl Lowering<'_> {
    /// The nodes whose intersection is a clip path, the outermost first.
    pub(crate) fn clip_nodes<'g>(
        &mut self,
        clip_path: Option<&'g ClipPath>,
        scene_from_user: Affine,
    ) -> Vec<GroupNode<'g>> {
        let Some(clip_path) = clip_path.filter(|_| !self.deadline.has_passed()) else { return Vec::new() };
        let mut nodes = self.clip_nodes(clip_path.clip_path(), scene_from_user);
        let clip = self.streams.sources.clip(clip_path, self.streams.is_in_marker);
        match <[Piece<'_>; 1]>::try_from(pieces(clip_path, scene_from_user)) {
            Ok([piece]) => {
                nodes.extend(self.own_clip_nodes(&piece));
                nodes.push(GroupNode::clip(piece.shape, clip));
            }
            Err(pieces) => nodes.push(self.union(pieces, clip)),
        }
        nodes
    }

    /// The nodes of the clip paths that apply to a piece alone.
    fn own_clip_nodes<'g>(&mut self, piece: &Piece<'g>) -> Vec<GroupNode<'g>> {
        let own_clips = piece.own_clips.iter();
        own_clips.flat_map(|(clip_path, transform)| self.clip_nodes(Some(clip_path), *transform)).collect()
    }

    /// The union of the pieces.
    fn union<'g>(&mut self, pieces: Vec<Piece<'g>>, clip: Clip) -> GroupNode<'g> {
        let boxes: Vec<Aabb> = pieces.iter().map(|piece| self.ink.piece_box(piece)).collect();
        let own_box = boxes.iter().copied().fold(Aabb::EMPTY, Aabb::union);
        if !is_one_path(&pieces, &boxes) {
            // An empty box becomes a shape without area, which hides everything.
            let shape = FilledPath::rect(area(own_box).unwrap_or_default(), Affine::IDENTITY);
            return GroupNode { pieces, ..GroupNode::clip(FilledPath { own_box, ..shape }, clip) };
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
        let scene_from_path = Affine::IDENTITY;
        GroupNode::clip(FilledPath { path, rule: Fill::NonZero, scene_from_path, own_box }, clip)
    }

    /// Adds nodes, the outermost first, around some contents.
    pub(crate) fn in_nodes(&mut self, nodes: &[GroupNode<'_>], contents: impl FnOnce(&mut Self)) {
        for node in nodes {
            let is_box = node.mask.is_none() && node.pieces.is_empty();
            let effects = NodeEffects { is_box, ..node.effects.clone() };
            self.streams.begin(node.shape.as_ref(), node.compositing, effects);
        }
        contents(self);
        for node in nodes.iter().rev() {
            if let Some((mask, scene_from_user)) = node.mask {
                self.mask(mask, scene_from_user);
            }
            // resvg has already applied the clip paths inside of a raster image.
            if let Some(shape) = node.shape.as_ref().filter(|_| !self.streams.is_hidden)
                && !node.pieces.is_empty()
            {
                self.mask_with(shape, MaskType::Alpha, |this| {
                    node.pieces.iter().for_each(|piece| this.fill_piece(piece));
                });
            }
            self.streams.end();
        }
    }

    /// Fills a piece of a clip path, inside of its own clip paths.
    fn fill_piece(&mut self, piece: &Piece<'_>) {
        let black = Paint::solid(Color::BLACK);
        let own_clips = self.own_clip_nodes(piece);
        self.in_nodes(&own_clips, |this| this.fill_near(piece.shape.clone(), &black, Role::Fill));
    }
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
        (piece.shape.rule == Fill::NonZero || piece.shape.is_axis_aligned_rect())
            && piece.own_clips.iter().all(|(clip, scene_from_user)| is_its_box(clip, *scene_from_user))
            // A piece that is not convex could wind against an overlapping one.
            && (is_convex(&piece.shape.path) || is_alone(index))
    })
}

/// Whether a clip path lets everything in its box through.
fn is_its_box(clip_path: &ClipPath, scene_from_user: Affine) -> bool {
    let is_rect = |piece: &Piece<'_>| piece.own_clips.is_empty() && piece.shape.is_axis_aligned_rect();
    clip_path.clip_path().is_none()
        && matches!(&pieces(clip_path, scene_from_user)[..], [only] if is_rect(only))
}

/// Whether a path is one convex outline: its control polygon turns to one side only, and once
/// around.
fn is_convex(path: &BezPath) -> bool {
    if path.subpaths().count() > 1 {
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
