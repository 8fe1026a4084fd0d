//! What a part of the tree can ink, as one box: for masks and filters, whose contents clip or feed something else.

use boxwood_cpu::Aabb;
use kurbo::{Affine, Rect};
use usvg::{Group, ImageKind, Mask, Node, Path};

use crate::flatten::Walk;
use crate::paint::is_visible;
use crate::path::{affine, bez_path, fill_box, is_in_range, rect, rect_box};
use crate::raster::viewport_of;
use crate::stroke::{DashRoom, Outline, is_pointless};

impl Walk {
    /// The union of the clipped leaf boxes of what is in a group whose contents are placed by `scene_from_group`, before the
    /// group's own effects.
    pub(crate) fn contents_box(&mut self, group: &Group, scene_from_group: Affine) -> Aabb {
        let mut contents = Aabb::EMPTY;
        for node in group.children() {
            if !self.is_in_time() {
                break;
            }
            contents = contents.union(self.node_box(node, scene_from_group));
        }
        contents
    }

    /// The box outside of which a mask hides everything: its rectangle ∩ its contents ∩ what its own mask leaves. Where
    /// nothing is painted, luminance and alpha are both zero.
    pub(crate) fn mask_box(&mut self, mask: &Mask, scene_from_user: Affine) -> Aabb {
        let key = (std::ptr::from_ref(mask).addr(), scene_from_user.as_coeffs().map(f64::to_bits));
        if let Some(known) = self.effect_boxes.get(&key) {
            return *known;
        }
        let outer = mask.mask().map_or(Aabb::PLANE, |outer| self.mask_box(outer, scene_from_user));
        let mask_box = rect_box(rect(mask.rect()), scene_from_user)
            .intersect(self.contents_box(mask.root(), scene_from_user))
            .intersect(outer);
        self.effect_boxes.insert(key, mask_box);
        mask_box
    }

    fn node_box(&mut self, node: &Node, scene_from_parent: Affine) -> Aabb {
        match node {
            Node::Group(group) => self.group_box(group, scene_from_parent),
            Node::Path(path) => path_box(path, scene_from_parent),
            Node::Image(image) if !image.is_visible() => Aabb::EMPTY,
            Node::Image(image) => match image.kind() {
                ImageKind::SVG(tree) => {
                    let contents = self.contents_box(tree.root(), scene_from_parent);
                    let viewport = rect_box(viewport_of(tree), scene_from_parent);
                    if self.clip_to_viewport { contents.intersect(viewport) } else { contents }
                }
                _ => {
                    let (width, height) = (image.size().width().into(), image.size().height().into());
                    rect_box(Rect::new(0.0, 0.0, width, height), scene_from_parent)
                }
            },
            Node::Text(text) => self.group_box(text.flattened(), scene_from_parent),
        }
    }

    fn group_box(&mut self, group: &Group, scene_from_parent: Affine) -> Aabb {
        let parent_from_group = affine(group.transform());
        let scene_from_group = scene_from_parent * parent_from_group;
        let is_drawn = group.opacity().get() != 0.0 && parent_from_group.determinant() != 0.0;
        if !is_drawn || !is_in_range(scene_from_group) {
            return Aabb::EMPTY;
        }
        let mut group_box = if group.filters().is_empty() {
            self.contents_box(group, scene_from_group)
        } else {
            self.filtered_box(group, scene_from_group)
        };
        if let Some(clip_path) = group.clip_path() {
            group_box = group_box.intersect(self.clip_box(clip_path, scene_from_group));
        }
        if let Some(mask) = group.mask() {
            group_box = group_box.intersect(self.mask_box(mask, scene_from_group));
        }
        group_box
    }
}

/// The union of the leaf boxes of a path.
fn path_box(path: &Path, scene_from_path: Affine) -> Aabb {
    if !path.is_visible() {
        return Aabb::EMPTY;
    }
    let shape = bez_path(path.data());
    let fill = path.fill().filter(|fill| is_visible(fill.paint(), fill.opacity()));
    let fill_box = fill.map_or(Aabb::EMPTY, |_| fill_box(&shape, scene_from_path));
    let stroke = path.stroke().filter(|stroke| is_visible(stroke.paint(), stroke.opacity()));
    let stroke_box = stroke.filter(|_| !is_pointless(&shape)).map_or(Aabb::EMPTY, |stroke| {
        // These dashes are not kept.
        Outline::new(shape.clone(), stroke, scene_from_path, &mut DashRoom::default()).stroke_box
    });
    fill_box.union(stroke_box)
}
