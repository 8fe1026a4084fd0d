//! Ink boxes of parts of a tree, for masks, clip paths and filters, whose contents shape something
//! else.

use std::collections::HashMap;

use boxwood_cpu::Aabb;
use kurbo::{Affine, Vec2};
use usvg::{ClipPath, Group, ImageKind, Mask, Node, Opacity, Paint, Path};

use crate::boxes::clip_paths::{Piece, pieces};
use crate::boxes::filters::{self, Extent};
use crate::boxes::gradients::painted_box;
use crate::boxes::strokes::StrokedPath;
use crate::geometry::{FilledPath, area, rect, rect_box, scene_from_group, sized};
use crate::guard::deadline::Deadline;
use crate::guard::limits::MAX_ALL_DASHES;
use crate::passes::unloaded_images::is_unloaded;
use crate::quirks::gradients::brush;

/// Computes ink boxes, and remembers those of masks and clip paths.
///
/// After the deadline, boxes are empty or too small.
pub(crate) struct InkBoxes {
    /// By the address of the mask or clip path, which the tree keeps in place, and the bits of its
    /// transform.
    known: HashMap<(usize, [u64; 6]), Aabb>,
    /// Whether SVG images are clipped to their viewports.
    clip_to_viewport: bool,
    deadline: Deadline,
}

impl InkBoxes {
    pub(crate) fn new(clip_to_viewport: bool, deadline: Deadline) -> Self {
        Self { known: HashMap::new(), clip_to_viewport, deadline }
    }

    /// The union of the clipped leaf boxes in a group, before the group's own effects.
    pub(crate) fn contents_box(&mut self, group: &Group, scene_from_group: Affine) -> Aabb {
        let nodes = group.children().iter();
        nodes.fold(Aabb::EMPTY, |all, node| all.union(self.node_box(node, scene_from_group)))
    }

    /// The box outside of which a mask hides everything: its rectangle ∩ the box of its contents ∩
    /// the box of its own mask. Returns the plane if there is no mask.
    ///
    /// Where nothing is painted, both luminance and alpha are zero.
    pub(crate) fn mask_box(&mut self, mask: Option<&Mask>, scene_from_user: Affine) -> Aabb {
        let Some(mask) = mask else { return Aabb::PLANE };
        self.remembered(mask, scene_from_user, |ink| {
            rect_box(rect(mask.rect().to_rect()), scene_from_user)
                .intersect(ink.contents_box(mask.root(), scene_from_user))
                .intersect(ink.mask_box(mask.mask(), scene_from_user))
        })
    }

    /// The box of a clip path: the union of the boxes of its pieces ∩ the box of its own clip path.
    /// The plane if there is no clip path.
    pub(crate) fn clip_box(&mut self, clip_path: Option<&ClipPath>, scene_from_user: Affine) -> Aabb {
        let Some(clip_path) = clip_path else { return Aabb::PLANE };
        if self.deadline.has_passed() {
            return Aabb::EMPTY;
        }
        self.remembered(clip_path, scene_from_user, |ink| {
            let pieces = pieces(clip_path, scene_from_user);
            let union = pieces.iter().fold(Aabb::EMPTY, |all, piece| all.union(ink.piece_box(piece)));
            union.intersect(ink.clip_box(clip_path.clip_path(), scene_from_user))
        })
    }

    /// The box of a piece of a clip path: its fill box ∩ the boxes of its own clip paths.
    pub(crate) fn piece_box(&mut self, piece: &Piece<'_>) -> Aabb {
        let own_clips = piece.own_clips.iter();
        own_clips.fold(piece.shape.own_box, |b, (own, transform)| {
            b.intersect(self.clip_box(Some(own), *transform))
        })
    }

    /// The extent of what the filters of a group can paint, in the group's user space, in which
    /// filters work. Excludes the group's clip path and mask.
    pub(crate) fn filtered_extent(&mut self, group: &Group, scene_from_group: Affine) -> Extent {
        let pixel = filters::pixel(scene_from_group);
        let mut extent_of = |group: &Group| self.extent_of_contents(group, pixel);
        let contents = extent_of(group);
        group.filters().iter().fold(contents, |source, filter| {
            filters::result_extent(filter, source, scene_from_group, &mut extent_of)
        })
    }

    /// The extent of the contents of a group, in its user space. The extent of a filter inside of
    /// the group depends on the size of a pixel.
    fn extent_of_contents(&mut self, group: &Group, pixel: Vec2) -> Extent {
        let contents = self.contents_box(group, Affine::scale_non_uniform(pixel.x.recip(), pixel.y.recip()));
        let user_from_canvas = Affine::scale_non_uniform(pixel.x, pixel.y);
        area(contents).map(|extent| user_from_canvas.transform_rect_bbox(extent))
    }

    fn node_box(&mut self, node: &Node, scene_from_parent: Affine) -> Aabb {
        if self.deadline.has_passed() {
            return Aabb::EMPTY;
        }
        match node {
            Node::Group(group) => self.group_box(group, scene_from_parent),
            Node::Path(path) => path_box(path, scene_from_parent),
            Node::Image(image) if !image.is_visible() || is_unloaded(image) => Aabb::EMPTY,
            Node::Image(image) => match image.kind() {
                ImageKind::SVG(tree) => {
                    let contents = self.contents_box(tree.root(), scene_from_parent);
                    let viewport = rect_box(sized(tree.size()), scene_from_parent);
                    if self.clip_to_viewport { contents.intersect(viewport) } else { contents }
                }
                _ => rect_box(sized(image.size()), scene_from_parent),
            },
            Node::Text(text) => self.group_box(text.flattened(), scene_from_parent),
        }
    }

    fn group_box(&mut self, group: &Group, scene_from_parent: Affine) -> Aabb {
        let placed = scene_from_group(group, scene_from_parent).filter(|_| group.opacity().get() != 0.0);
        let Some(scene_from_group) = placed else { return Aabb::EMPTY };
        let own_box = if group.filters().is_empty() {
            self.contents_box(group, scene_from_group)
        } else {
            let extent = self.filtered_extent(group, scene_from_group);
            extent.map_or(Aabb::EMPTY, |extent| rect_box(extent, scene_from_group))
        };
        own_box
            .intersect(self.clip_box(group.clip_path(), scene_from_group))
            .intersect(self.mask_box(group.mask(), scene_from_group))
    }

    fn remembered<T>(
        &mut self,
        effect: &T,
        scene_from_user: Affine,
        compute: impl FnOnce(&mut Self) -> Aabb,
    ) -> Aabb {
        let key = (std::ptr::from_ref(effect).addr(), scene_from_user.as_coeffs().map(f64::to_bits));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let computed = compute(self);
        self.known.insert(key, computed);
        computed
    }
}

/// The union of the leaf boxes of a path.
fn path_box(path: &Path, scene_from_path: Affine) -> Aabb {
    if !path.is_visible() {
        return Aabb::EMPTY;
    }
    let fill_box = path.fill().map_or(Aabb::EMPTY, |fill| {
        painted(fill.paint(), fill.opacity(), scene_from_path, || {
            FilledPath::new(path, fill.rule(), scene_from_path).own_box
        })
    });
    // These dashes are not kept.
    let mut dashes_left = MAX_ALL_DASHES;
    let stroke_box = path.stroke().map_or(Aabb::EMPTY, |stroke| {
        painted(stroke.paint(), stroke.opacity(), scene_from_path, || {
            let stroked = StrokedPath::new(path, stroke, scene_from_path, Some(&mut dashes_left));
            stroked.map_or(Aabb::EMPTY, |stroked| stroked.own_box)
        })
    });
    fill_box.union(stroke_box)
}

/// The box of a paint in a box. The box is computed only if the paint is visible.
fn painted(paint: &Paint, opacity: Opacity, scene_from_path: Affine, own_box: impl FnOnce() -> Aabb) -> Aabb {
    match brush(paint, opacity, scene_from_path) {
        _ if opacity.get() == 0.0 => Aabb::EMPTY,
        Some(placed) => painted_box(own_box(), &placed),
        None if matches!(paint, Paint::Pattern(_)) => own_box(),
        None => Aabb::EMPTY,
    }
}
