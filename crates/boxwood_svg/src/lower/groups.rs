//! The walk over a tree, in paint order: groups, masks and filters as nodes.

use std::collections::HashMap;

use boxwood_cpu::{Aabb, Scene};
use kurbo::{Affine, BezPath};
use peniko::{BlendMode, Compose, Mix};
use usvg::{Group, Image, ImageKind, Mask, MaskType, Node, Opacity, Tree};
use vello_encoding::DrawBeginClip;

use crate::boxes::ink::InkBoxes;
use crate::dom::NodeId;
use crate::error::{Error, Work};
use crate::geometry::{FilledPath, aabb, affine, is_invertible, rect, scene_from_group, sized};
use crate::guard::deadline::Deadline;
use crate::guard::limits::{MAX_ALL_DASHES, MAX_OVERHANG};
use crate::lower::clips::GroupNode;
use crate::lower::lowering::Lowering;
use crate::lower::paint::Paint;
use crate::lower::sources::SourceTracker;
use crate::lower::streams::{Streams, Surroundings, isolated};
use crate::no_box::NoBox;
use crate::options::Options;
use crate::passes::singular_transforms::is_singular;
use crate::passes::unloaded_images::is_unloaded;
use crate::quirks::nested_viewports::unclipped;
use crate::raster::content::Content;
use crate::read::elements::Elements;
use crate::signature::Signatures;
use crate::table::{Clip, NodeEffects, Role, Within};
use crate::warnings::{WarningKind, Warnings};

/// Lowers the tree of a document with these elements, and this root.
///
/// # Errors
///
/// - [`Error::TimeLimit`] after the deadline.
/// - [`Error::Scene`] if the scene is invalid, which is a bug.
pub(crate) fn lower(
    tree: &Tree,
    document: Elements,
    root: NodeId,
    options: &Options,
    warnings: &Warnings,
    deadline: &Deadline,
) -> Result<(Scene, Streams), Error> {
    let viewport = sized(tree.size());
    let mut lowering = Lowering {
        viewport,
        near: aabb(viewport.inflate(MAX_OVERHANG, MAX_OVERHANG)),
        clip_to_viewport: options.clip_to_viewport,
        warnings,
        deadline,
        streams: Streams::of(SourceTracker::new(document, root)),
        ink: InkBoxes::new(options.clip_to_viewport, deadline.clone()),
        dashes_left: MAX_ALL_DASHES,
        images: HashMap::new(),
        signatures: options.comparable.then(|| Signatures::new(deadline.clone())),
    };
    if options.clip_to_viewport {
        let shape = FilledPath::rect(viewport, Affine::IDENTITY);
        lowering.streams.begin(Some(&shape), None, NodeEffects::clip(Clip::Viewport));
    } else {
        lowering.streams.begin(None, Some(isolated()), NodeEffects::default());
    }
    lowering.children(tree.root(), Ok(Affine::IDENTITY));
    lowering.streams.end();
    deadline.check(Work::Loading)?;
    Ok((lowering.streams.finish(lowering.near)?, lowering.streams))
}

impl Lowering<'_> {
    /// Lowers the children of a group. With a reason in place of the transform, nothing is drawn,
    /// but children with an id still become sources.
    fn children(&mut self, group: &Group, scene_from_group: Result<Affine, &NoBox>) {
        let has_paths = group.children().iter().any(|node| matches!(node, Node::Path(_)));
        for node in group.children() {
            if self.deadline.has_passed() {
                return;
            }
            let around = self.streams.sources.enter(node);
            // The only groups beside the paths of a shape, and without an element of their own, are
            // its markers.
            let is_part = matches!(node, Node::Group(_)) && !self.streams.sources.has_entered(around);
            let is_marker = has_paths && is_part && self.streams.sources.is_shape();
            let was_in_marker = self.streams.is_in_marker;
            self.streams.is_in_marker |= is_marker;
            match (node, scene_from_group) {
                (Node::Group(inner), Ok(transform)) => self.group_in(inner, transform),
                (Node::Path(inner), Ok(transform)) => self.path(inner, transform),
                (Node::Image(inner), Ok(transform)) => self.image(inner, transform),
                // The text itself has glyph cells. Its flattened form has the outlines.
                (Node::Text(text), Ok(transform)) => self.group_in(text.flattened(), transform),
                (_, Err(reason)) => {
                    self.streams.sources.note(reason.clone());
                    if let Node::Group(inner) = node {
                        self.children(inner, Err(reason));
                    }
                }
            }
            self.streams.is_in_marker = was_in_marker;
            self.streams.sources.leave(around);
        }
    }

    /// Lowers a group whose parent has this transform.
    fn group_in(&mut self, group: &Group, scene_from_parent: Affine) {
        let placed = scene_from_group(group, scene_from_parent);
        let nothing = match placed {
            None if is_invertible(group) => {
                self.warn(WarningKind::HugeTransform);
                NoBox::HugeTransform
            }
            None => NoBox::NoSize,
            Some(_) if is_singular(group) => NoBox::NoSize,
            Some(_) if group.opacity().get() == 0.0 => NoBox::Transparent,
            Some(_) if group.children().is_empty() && group.filters().is_empty() => NoBox::NoContents,
            Some(scene_from_group) => return self.group(group, scene_from_group),
        };
        self.streams.sources.note(nothing.clone());
        self.children(group, Err(&nothing));
    }

    /// Lowers a group: the nodes that it needs, and its contents.
    ///
    /// SVG applies the effects of a group from the inside out: filter, clip path, mask, opacity,
    /// blend mode. So the clip nodes are around the filter, and the outermost node composites.
    fn group(&mut self, group: &Group, scene_from_group: Affine) {
        self.sign(|signatures| signatures.of_group(group, scene_from_group));
        let mut nodes = self.clips(group, scene_from_group);
        if let Some(compositing) = compositing(group, nodes.is_empty()) {
            if nodes.is_empty() {
                nodes.push(GroupNode::default());
            }
            nodes[0].compositing = Some(compositing);
            let effects = &mut nodes[0].effects;
            (effects.opacity, effects.isolates) = (group.opacity().get(), true);
            effects.blends = group.blend_mode() != usvg::BlendMode::Normal;
        }
        let was_hidden = self.streams.is_hidden;
        self.in_nodes(&nodes, |this| this.contents(group, scene_from_group));
        self.streams.is_hidden = was_hidden;
    }

    /// The nodes that clip or mask a group, the outermost first.
    fn clips<'g>(&mut self, group: &'g Group, scene_from_group: Affine) -> Vec<GroupNode<'g>> {
        let mask = group.mask().map(|mask| self.mask_node(mask, scene_from_group));
        let clips = self.clip_nodes(group.clip_path(), scene_from_group).into_iter();
        let clips =
            clips.map(|node| GroupNode { shape: node.shape.map(|clip| self.clip_near(clip)), ..node });
        mask.into_iter().chain(clips).collect()
    }

    /// Lowers the contents of a group, and a leaf for its filters if it has any.
    fn contents(&mut self, group: &Group, scene_from_group: Affine) {
        let around = self.streams.surroundings;
        if !group.filters().is_empty() {
            let filter_box = Some(self.filter(group, scene_from_group));
            self.streams.is_hidden = true;
            let within = if around.within == Within::Mask { Within::Mask } else { Within::Filter };
            self.streams.surroundings = Surroundings { within, filter_box };
        }
        self.children(group, Ok(scene_from_group));
        self.streams.surroundings = around;
    }

    /// Adds the leaf of a group's filters. Returns its box.
    fn filter(&mut self, group: &Group, scene_from_group: Affine) -> Aabb {
        let extent = self.ink.filtered_extent(group, scene_from_group);
        let shape = extent.map(|extent| FilledPath::rect(extent, scene_from_group));
        let own_box = shape.as_ref().map_or(Aabb::EMPTY, |shape| shape.own_box);
        match shape.filter(|_| !self.streams.is_hidden) {
            None => self.streams.fill_nothing(own_box, Role::Filter),
            Some(shape) => {
                let content = Content::Group {
                    group: Node::Group(Box::new(group.clone())),
                    // The transform of the group is part of the content.
                    scene_from_parent: scene_from_group * affine(group.transform()).inverse(),
                };
                self.streams.fill(&shape, &Paint::Raster(content), Role::Filter);
            }
        }
        self.streams.widened(own_box)
    }

    /// The node around masked contents. It clips to the rectangle outside of which the mask hides
    /// everything, and has the box of what the mask can show.
    fn mask_node<'g>(&mut self, mask: &'g Mask, scene_from_user: Affine) -> GroupNode<'g> {
        let shape = FilledPath::rect(rect(mask.rect().to_rect()), scene_from_user);
        let own_box = self.ink.mask_box(Some(mask), scene_from_user);
        let path = if own_box.is_empty() { BezPath::new() } else { shape.path };
        let clip = self.clip_near(FilledPath { path, own_box, ..shape });
        let id = self.streams.sources.effect_id(mask.id(), "mask", "mask").unwrap_or_default();
        GroupNode { mask: Some((mask, scene_from_user)), ..GroupNode::clip(clip, Clip::Mask { id }) }
    }

    /// Lowers a mask into a node that masks everything before it in the parent node.
    pub(crate) fn mask(&mut self, mask: &Mask, scene_from_user: Affine) {
        let shape = self.clip_near(FilledPath::rect(rect(mask.rect().to_rect()), scene_from_user));
        self.mask_with(&shape, mask.kind(), |this| {
            if mask.kind() == MaskType::Luminance && !this.streams.is_hidden {
                this.streams.replace_contents(Content::mask(mask, scene_from_user));
            }
            let outer = mask.mask().map(|outer| this.mask_node(outer, scene_from_user));
            // The contents come from the masked element.
            let was_frozen = std::mem::replace(&mut this.streams.sources.is_frozen, true);
            this.in_nodes(outer.as_slice(), |this| this.children(mask.root(), Ok(scene_from_user)));
            this.streams.sources.is_frozen = was_frozen;
        });
    }

    /// Lowers an image: a raster image to a leaf, an SVG image to its elements.
    fn image(&mut self, image: &Image, scene_from_image: Affine) {
        if !image.is_visible() {
            return self.streams.sources.note(NoBox::Hidden);
        }
        if is_unloaded(image) {
            return self.streams.sources.note(NoBox::NotLoaded);
        }
        self.sign(|signatures| signatures.of_image(image, scene_from_image));
        match image.kind() {
            // SVG 2 (section 12.3) clips an image to its viewport, whatever its `overflow` is.
            ImageKind::SVG(tree) if self.clip_to_viewport => {
                let tree = unclipped(tree);
                let clip = self.clip_near(FilledPath::rect(sized(tree.size()), scene_from_image));
                self.streams.begin(Some(&clip), None, NodeEffects::clip(Clip::Viewport));
                self.children(tree.root(), Ok(scene_from_image));
                self.streams.end();
            }
            ImageKind::SVG(tree) => self.children(tree.root(), Ok(scene_from_image)),
            ImageKind::PNG(bytes)
            | ImageKind::JPEG(bytes)
            | ImageKind::GIF(bytes)
            | ImageKind::WEBP(bytes) => self.raster_image(image, bytes, scene_from_image),
        }
    }
}

/// How a group is composited, `None` if it does not need to be.
fn compositing(group: &Group, has_no_clip: bool) -> Option<DrawBeginClip> {
    let has_filter = !group.filters().is_empty();
    let needs_node = group.opacity() != Opacity::ONE
        || group.mask().is_some()
        || group.blend_mode() != usvg::BlendMode::Normal
        || group.isolate()
        || (has_filter && has_no_clip);
    // resvg applies the opacity when it draws the leaf of a filter.
    let alpha = if has_filter { 1.0 } else { group.opacity().get() };
    needs_node.then(|| DrawBeginClip::new(blend_mode(group.blend_mode()), alpha))
}

fn blend_mode(mode: usvg::BlendMode) -> BlendMode {
    let mix = match mode {
        usvg::BlendMode::Normal => Mix::Normal,
        usvg::BlendMode::Multiply => Mix::Multiply,
        usvg::BlendMode::Screen => Mix::Screen,
        usvg::BlendMode::Overlay => Mix::Overlay,
        usvg::BlendMode::Darken => Mix::Darken,
        usvg::BlendMode::Lighten => Mix::Lighten,
        usvg::BlendMode::ColorDodge => Mix::ColorDodge,
        usvg::BlendMode::ColorBurn => Mix::ColorBurn,
        usvg::BlendMode::HardLight => Mix::HardLight,
        usvg::BlendMode::SoftLight => Mix::SoftLight,
        usvg::BlendMode::Difference => Mix::Difference,
        usvg::BlendMode::Exclusion => Mix::Exclusion,
        usvg::BlendMode::Hue => Mix::Hue,
        usvg::BlendMode::Saturation => Mix::Saturation,
        usvg::BlendMode::Color => Mix::Color,
        usvg::BlendMode::Luminosity => Mix::Luminosity,
        usvg::BlendMode::PlusLighter => return Compose::PlusLighter.into(),
    };
    mix.into()
}
