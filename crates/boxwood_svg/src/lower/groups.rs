//! The walk over a tree, in paint order: groups, masks and filters as nodes.

use std::collections::HashMap;

use boxwood_cpu::{Aabb, Scene};
use kurbo::{Affine, BezPath};
use peniko::{BlendMode, Compose, Fill, Mix};
use usvg::{Group, Image, ImageKind, Mask, Node, Opacity, Tree};
use vello_encoding::DrawBeginClip;

use crate::boxes::clip_paths::ClipShape;
use crate::boxes::ink::InkBoxes;
use crate::error::{Error, Work};
use crate::geometry::{affine, is_in_range, rect, rect_box, sized};
use crate::guard::limits::MAX_ALL_DASHES;
use crate::lower::clips::{Clip, add_clips, end_clip};
use crate::lower::context::{Context, Output, Placement};
use crate::lower::images::raster_image;
use crate::lower::leaves::path;
use crate::lower::paint::Paint;
use crate::lower::streams::{Streams, isolated};
use crate::quirks::nested_viewports::unclipped;
use crate::quirks::wrapper_groups::element_of;
use crate::raster::content::Content;
use crate::table::{Role, SourceKind, Within};
use crate::warnings::WarningKind;

/// Lowers a tree whose root element has this id.
///
/// # Errors
///
/// - [`Error::TimeLimit`] after the deadline.
/// - [`Error::Scene`] if the scene is invalid, which is a bug.
pub(crate) fn lower(cx: &Context<'_>, tree: &Tree, root_id: &str) -> Result<(Scene, Streams), Error> {
    let mut out = Output {
        streams: Streams::default(),
        ink: InkBoxes::new(cx.clip_to_viewport, cx.deadline.clone()),
        dashes_left: MAX_ALL_DASHES,
        images: HashMap::new(),
    };
    out.streams.sources.enter(root_id, SourceKind::Svg);
    if cx.clip_to_viewport {
        let viewport = ClipShape::rect(cx.viewport, Affine::IDENTITY);
        out.streams.begin(Some(&viewport), None);
    } else {
        out.streams.begin(None, Some(isolated()));
    }
    let placement = Placement { scene_from_node: Affine::IDENTITY, filter_box: None };
    children(cx, &mut out, tree.root(), Some(placement));
    out.streams.end();
    cx.deadline.check(Work::Loading)?;
    Ok((out.streams.finish(cx.near())?, out.streams))
}

/// Lowers the children of a group. Without a placement nothing is drawn, but those with an id
/// become sources.
fn children(cx: &Context<'_>, out: &mut Output, group: &Group, placement: Option<Placement>) {
    let mut counts = [0_usize; 4];
    for (index, node) in group.children().iter().enumerate() {
        if cx.deadline.has_passed() {
            return;
        }
        let (name, count, (id, kind)) = match node {
            Node::Group(group) => ("g", &mut counts[0], element_of(group)),
            Node::Path(path) => ("path", &mut counts[1], (path.id(), SourceKind::Path)),
            Node::Image(image) => ("image", &mut counts[2], (image.id(), SourceKind::Image)),
            Node::Text(text) => ("text", &mut counts[3], (text.id(), SourceKind::Text)),
        };
        *count += 1;
        let around = out.streams.sources.step_down(name, *count, index);
        out.streams.sources.enter(id, kind);
        match (node, placement) {
            (Node::Group(inner), Some(placement)) => group_in(cx, out, inner, placement),
            (Node::Group(inner), None) => children(cx, out, inner, None),
            (Node::Path(inner), Some(placement)) => path(cx, out, inner, placement),
            (Node::Image(inner), Some(placement)) => image(cx, out, inner, placement),
            // The text itself has glyph cells. Its flattened form has the outlines.
            (Node::Text(text), Some(placement)) => group_in(cx, out, text.flattened(), placement),
            (_, None) => {}
        }
        out.streams.sources.step_up(around);
    }
}

/// Lowers a group whose parent has this placement.
fn group_in(cx: &Context<'_>, out: &mut Output, inner: &Group, parent: Placement) {
    let parent_from_node = affine(inner.transform());
    let scene_from_node = parent.scene_from_node * parent_from_node;
    // SVG does not render an element whose transform is not invertible. The determinant is exact:
    // its factors are `f32`.
    let is_invertible = parent_from_node.determinant() != 0.0;
    let draws_nothing =
        inner.opacity().get() == 0.0 || (inner.children().is_empty() && inner.filters().is_empty());
    if is_invertible && !is_in_range(scene_from_node) {
        out.warn(cx, WarningKind::HugeTransform);
    }
    if !is_invertible || !is_in_range(scene_from_node) || draws_nothing {
        return children(cx, out, inner, None);
    }
    group(cx, out, inner, Placement { scene_from_node, ..parent });
}

/// Lowers a group: the nodes that it needs, and its contents.
///
/// SVG applies the effects of a group from the inside out: filter, clip path, mask, opacity, blend
/// mode. So the clip nodes are around the filter, and the outermost node composites.
fn group(cx: &Context<'_>, out: &mut Output, group: &Group, placement: Placement) {
    let clips = clips(cx, out, group, placement);
    let compositing = compositing(group, clips.is_empty());
    let outermost = clips.first();
    let inner = clips.get(1..).unwrap_or_default();
    if outermost.is_none() && compositing.is_none() {
        return children(cx, out, group, Some(placement));
    }
    out.streams.begin(outermost.map(|clip| &clip.shape), compositing);
    for clip in inner {
        out.streams.begin(Some(&clip.shape), None);
    }
    let (around, was_hidden) = (out.streams.within, out.streams.is_hidden);
    let filter_box = filter(out, group, placement);
    if filter_box.is_some() {
        out.streams.is_hidden = true;
        if around == Within::Scene {
            out.streams.within = Within::Filter;
        }
    }
    let filter_box = filter_box.or(placement.filter_box);
    children(cx, out, group, Some(Placement { filter_box, ..placement }));
    out.streams.within = around;
    for clip in inner.iter().rev() {
        end_clip(cx, out, clip);
    }
    if let Some(group_mask) = group.mask() {
        mask(cx, out, group_mask, placement.scene_from_node);
    }
    match outermost {
        Some(clip) => end_clip(cx, out, clip),
        None => out.streams.end(),
    }
    out.streams.is_hidden = was_hidden;
}

/// The nodes that clip a group, the outermost first.
fn clips<'g>(cx: &Context<'_>, out: &mut Output, group: &'g Group, placement: Placement) -> Vec<Clip<'g>> {
    let mut clips = Vec::new();
    let mask = group.mask().map(|mask| mask_shape(out, mask, placement.scene_from_node));
    clips.extend(mask.map(|shape| Clip { shape, pieces: Vec::new() }));
    if let Some(clip_path) = group.clip_path() {
        add_clips(cx, out, clip_path, placement.scene_from_node, &mut clips);
    }
    let near = |Clip { shape, pieces }: Clip<'g>| {
        let shape_box = placement.widened(shape.shape_box);
        Clip { shape: ClipShape { shape_box, ..cx.clip_near(shape) }, pieces }
    };
    clips.into_iter().map(near).collect()
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

/// Adds the leaf of a group's filters. Returns its box, `None` if there are no filters.
fn filter(out: &mut Output, group: &Group, placement: Placement) -> Option<Aabb> {
    if group.filters().is_empty() {
        return None;
    }
    let Placement { scene_from_node, .. } = placement;
    let extent = out.ink.filtered_extent(group, scene_from_node);
    let own_box = extent.map_or(Aabb::EMPTY, |extent| rect_box(extent, scene_from_node));
    let leaf_box = placement.widened(own_box);
    let Some(extent) = extent.filter(|_| !out.streams.is_hidden) else {
        out.streams.fill_nothing(leaf_box, Role::Filter);
        return Some(leaf_box);
    };
    let content = Content::Group {
        group: Node::Group(Box::new(group.clone())),
        // The transform of the group is part of the content.
        scene_from_parent: scene_from_node * affine(group.transform()).inverse(),
    };
    out.streams.fill(
        &extent,
        Fill::NonZero,
        scene_from_node,
        &Paint::Raster(content),
        leaf_box,
        Role::Filter,
    );
    Some(leaf_box)
}

/// The rectangle outside of which a mask hides everything, with the box of what the mask can show.
fn mask_shape(out: &mut Output, mask: &Mask, scene_from_node: Affine) -> ClipShape {
    let shape = ClipShape::rect(rect(mask.rect()), scene_from_node);
    let shape_box = out.ink.mask_box(mask, scene_from_node);
    let path = if shape_box.is_empty() { BezPath::new() } else { shape.path };
    ClipShape { path, shape_box, ..shape }
}

/// Lowers a mask into a node that masks everything before it in the parent node.
fn mask(cx: &Context<'_>, out: &mut Output, group_mask: &Mask, scene_from_user: Affine) {
    if out.streams.are_masks_full() {
        return out.warn(cx, WarningKind::Mask);
    }
    let shape = cx.clip_near(ClipShape::rect(rect(group_mask.rect()), scene_from_user));
    let around = out.streams.begin_mask(&shape, group_mask.kind());
    // The outer mask hides everything outside of its rectangle, so the rectangle can clip.
    if let Some(outer) = group_mask.mask() {
        let shape = mask_shape(out, outer, scene_from_user);
        out.streams.begin(Some(&cx.clip_near(shape)), None);
    }
    // The contents come from the masked element.
    let was_frozen = std::mem::replace(&mut out.streams.sources.is_frozen, true);
    let placement = Placement { scene_from_node: scene_from_user, filter_box: None };
    children(cx, out, group_mask.root(), Some(placement));
    out.streams.sources.is_frozen = was_frozen;
    if let Some(outer) = group_mask.mask() {
        mask(cx, out, outer, scene_from_user);
        out.streams.end();
    }
    out.streams.end_mask(around);
}

/// Lowers an image: a raster image to a leaf, an SVG image to its elements.
fn image(cx: &Context<'_>, out: &mut Output, image: &Image, placement: Placement) {
    if !image.is_visible() {
        return;
    }
    match image.kind() {
        ImageKind::SVG(tree) => svg_image(cx, out, tree, placement),
        ImageKind::PNG(bytes) | ImageKind::JPEG(bytes) | ImageKind::GIF(bytes) | ImageKind::WEBP(bytes) => {
            raster_image(cx, out, image, bytes, placement);
        }
    }
}

/// Lowers an SVG image. SVG 2 (section 12.3) clips it to its viewport, whatever its `overflow` is.
fn svg_image(cx: &Context<'_>, out: &mut Output, tree: &Tree, placement: Placement) {
    if !cx.clip_to_viewport {
        return children(cx, out, tree.root(), Some(placement));
    }
    let tree = unclipped(tree);
    let mut clip = cx.clip_near(ClipShape::rect(sized(tree.size()), placement.scene_from_node));
    clip.shape_box = placement.widened(clip.shape_box);
    out.streams.begin(Some(&clip), None);
    children(cx, out, tree.root(), Some(placement));
    out.streams.end();
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
