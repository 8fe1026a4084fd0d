//! The walk over a tree, in paint order: groups, masks and filters as nodes.

use boxwood_cpu::Aabb;
use image::ImageFormat;
use kurbo::{Affine, BezPath};
use peniko::{BlendMode, Compose, Fill, Mix};
use usvg::{Group, Image, ImageKind, Mask, Node, Opacity, Tree};

use crate::error::Error;
use crate::geometry::{affine, is_in_range, rect, rect_box, viewport};
use crate::lower::clips::{Clip, add_clips, end_clip};
use crate::lower::context::{Context, Output, Placement};
use crate::lower::images::raster_image;
use crate::lower::leaves::path;
use crate::lower::paint::Paint;
use crate::lower::streams::{ClipShape, Compositing, Finished};
use crate::quirks::nested_viewports::unclipped;
use crate::quirks::wrapper_groups::element_of;
use crate::raster::content::Content;
use crate::raster::cost::Costs;
use crate::table::{ElementInfo, Role, SourceKind, Within};
use crate::warnings::WarningKind;

/// Lowers a tree whose root element has this id.
///
/// # Errors
///
/// - [`Error::TimeLimit`] after the deadline.
/// - [`Error::Scene`] if the scene is invalid, which is a bug.
pub(crate) fn lower(
    context: &Context<'_>,
    tree: &Tree,
    root_id: &str,
    costs: &mut Costs,
) -> Result<Finished, Error> {
    let mut output = Output::new(context);
    output.sources.enter(root_id, SourceKind::Svg);
    let source = output.sources.source();
    if context.clip_to_viewport {
        let viewport = ClipShape::rect(context.viewport, Affine::IDENTITY);
        output.streams.begin_clip(&viewport, None, source);
    } else {
        output.streams.begin_blend(Compositing { blend: BlendMode::default(), alpha: 1.0 }, source);
    }
    let placement = Placement { scene_from_node: Affine::IDENTITY, filter_box: None };
    children(context, &mut output, tree.root(), Some(placement));
    output.streams.end();
    context.clock.check()?;
    output.streams.finish(output.sources.finish(), costs)
}

/// Lowers the children of a group. Without a placement nothing is drawn, but those with an id
/// become sources.
fn children(context: &Context<'_>, output: &mut Output<'_>, group: &Group, placement: Option<Placement>) {
    let mut counts = [0_usize; 4];
    for (index, node) in group.children().iter().enumerate() {
        if context.clock.is_over() {
            return;
        }
        let (name, count, (id, kind)) = match node {
            Node::Group(group) => ("g", &mut counts[0], element_of(group)),
            Node::Path(path) => ("path", &mut counts[1], (path.id(), SourceKind::Path)),
            Node::Image(image) => ("image", &mut counts[2], (image.id(), SourceKind::Image)),
            Node::Text(text) => ("text", &mut counts[3], (text.id(), SourceKind::Text)),
        };
        *count += 1;
        let length = output.sources.step_down(name, *count, index);
        let has_entered = output.sources.enter(id, kind);
        match (node, placement) {
            (Node::Group(inner), Some(placement)) => group_in(context, output, inner, placement),
            (Node::Group(inner), None) => children(context, output, inner, None),
            (Node::Path(inner), Some(placement)) => path(context, output, inner, placement),
            (Node::Image(inner), Some(placement)) => image(context, output, inner, placement),
            // The text itself has glyph cells. Its flattened form has the outlines.
            (Node::Text(text), Some(placement)) => group_in(context, output, text.flattened(), placement),
            (_, None) => {}
        }
        if has_entered {
            output.sources.leave();
        }
        output.sources.step_up(length);
    }
}

/// Lowers a group whose parent has this placement.
fn group_in(context: &Context<'_>, output: &mut Output<'_>, inner: &Group, parent: Placement) {
    let parent_from_node = affine(inner.transform());
    let scene_from_node = parent.scene_from_node * parent_from_node;
    // SVG does not render an element whose transform is not invertible. The determinant is exact:
    // its factors are `f32`.
    let is_invertible = parent_from_node.determinant() != 0.0;
    let draws_nothing =
        inner.opacity().get() == 0.0 || (inner.children().is_empty() && inner.filters().is_empty());
    if is_invertible && !is_in_range(scene_from_node) {
        output.warn(context, WarningKind::HugeTransform);
    }
    if !is_invertible || !is_in_range(scene_from_node) || draws_nothing {
        return children(context, output, inner, None);
    }
    group(context, output, inner, Placement { scene_from_node, ..parent });
}

/// Lowers a group: the nodes that it needs, and its contents.
///
/// SVG applies the effects of a group from the inside out: filter, clip path, mask, opacity, blend
/// mode. So the clip nodes are around the filter, and the outermost node composites.
fn group(context: &Context<'_>, output: &mut Output<'_>, group: &Group, placement: Placement) {
    let clips = clips(context, output, group, placement);
    let compositing = compositing(group, clips.is_empty());
    let outermost = clips.first();
    let inner = clips.get(1..).unwrap_or_default();
    if outermost.is_none() && compositing.is_none() {
        return children(context, output, group, Some(placement));
    }
    let source = output.sources.source();
    match (outermost, compositing) {
        (Some(clip), compositing) => output.streams.begin_clip(&clip.shape, compositing, source),
        (None, Some(compositing)) => output.streams.begin_blend(compositing, source),
        (None, None) => {}
    }
    for clip in inner {
        output.streams.begin_clip(&clip.shape, None, source);
    }
    let (around, was_hidden) = (output.streams.within, output.streams.is_hidden);
    let filter_box = filter(output, group, placement, source);
    if filter_box.is_some() {
        output.streams.is_hidden = true;
        if around == Within::Scene {
            output.streams.within = Within::Filter;
        }
    }
    let filter_box = filter_box.or(placement.filter_box);
    children(context, output, group, Some(Placement { filter_box, ..placement }));
    output.streams.within = around;
    for clip in inner.iter().rev() {
        end_clip(context, output, clip, source);
    }
    if let Some(group_mask) = group.mask() {
        mask(context, output, group_mask, placement.scene_from_node, source);
    }
    match outermost {
        Some(clip) => end_clip(context, output, clip, source),
        None => output.streams.end(),
    }
    output.streams.is_hidden = was_hidden;
}

/// The nodes that clip a group, the outermost first.
fn clips<'g>(
    context: &Context<'_>,
    output: &mut Output<'_>,
    group: &'g Group,
    placement: Placement,
) -> Vec<Clip<'g>> {
    let mut clips = Vec::new();
    clips.extend(group.mask().map(|mask| Clip::from(mask_shape(output, mask, placement.scene_from_node))));
    if let Some(clip_path) = group.clip_path() {
        add_clips(context, output, clip_path, placement.scene_from_node, &mut clips);
    }
    let near = |mut clip: Clip<'g>| {
        clip.shape = context.clip_near(clip.shape);
        clip.shape.shape_box = placement.widened(clip.shape.shape_box);
        clip
    };
    clips.into_iter().map(near).collect()
}

/// How a group is composited, `None` if it does not need to be.
fn compositing(group: &Group, has_no_clip: bool) -> Option<Compositing> {
    let has_filter = !group.filters().is_empty();
    let needs_node = group.opacity() != Opacity::ONE
        || group.mask().is_some()
        || group.blend_mode() != usvg::BlendMode::Normal
        || group.isolate()
        || (has_filter && has_no_clip);
    // resvg applies the opacity when it draws the leaf of a filter.
    let alpha = if has_filter { 1.0 } else { group.opacity().get() };
    needs_node.then_some(Compositing { blend: blend_mode(group.blend_mode()), alpha })
}

/// Adds the leaf of a group's filters. Returns its box, `None` if there are no filters.
fn filter(output: &mut Output<'_>, group: &Group, placement: Placement, source: u32) -> Option<Aabb> {
    if group.filters().is_empty() {
        return None;
    }
    let Placement { scene_from_node, .. } = placement;
    let info = ElementInfo::new(source, Role::Filter);
    let extent = output.ink.filtered_extent(group, scene_from_node);
    let own_box = extent.map_or(Aabb::EMPTY, |extent| rect_box(extent, scene_from_node));
    let leaf_box = placement.widened(own_box);
    let Some(extent) = extent.filter(|_| !output.streams.is_hidden) else {
        output.streams.fill_nothing(leaf_box, info);
        return Some(leaf_box);
    };
    let content = Content::Group {
        group: Node::Group(Box::new(group.clone())),
        // The transform of the group is part of the content.
        scene_from_parent: scene_from_node * affine(group.transform()).inverse(),
    };
    output.streams.fill(&extent, Fill::NonZero, scene_from_node, &Paint::Raster(content), leaf_box, info);
    Some(leaf_box)
}

/// The rectangle outside of which a mask hides everything, with the box of what the mask can show.
fn mask_shape(output: &mut Output<'_>, mask: &Mask, scene_from_node: Affine) -> ClipShape {
    let shape = ClipShape::rect(rect(mask.rect()), scene_from_node);
    let shape_box = output.ink.mask_box(mask, scene_from_node);
    let path = if shape_box.is_empty() { BezPath::new() } else { shape.path };
    ClipShape { path, shape_box, ..shape }
}

/// Lowers a mask into a node that masks everything before it in the parent node.
fn mask(
    context: &Context<'_>,
    output: &mut Output<'_>,
    group_mask: &Mask,
    scene_from_user: Affine,
    source: u32,
) {
    if output.streams.are_masks_full() {
        return output.warn(context, WarningKind::Mask);
    }
    let shape = ClipShape::rect(rect(group_mask.rect()), scene_from_user);
    let around = std::mem::replace(&mut output.streams.within, Within::Mask);
    output.streams.begin_mask(&context.clip_near(shape), group_mask.kind(), source);
    // The outer mask hides everything outside of its rectangle, so the rectangle can clip.
    if let Some(outer) = group_mask.mask() {
        let shape = mask_shape(output, outer, scene_from_user);
        output.streams.begin_clip(&context.clip_near(shape), None, source);
    }
    // The contents come from the masked element.
    let was_frozen = std::mem::replace(&mut output.sources.is_frozen, true);
    let placement = Placement { scene_from_node: scene_from_user, filter_box: None };
    children(context, output, group_mask.root(), Some(placement));
    output.sources.is_frozen = was_frozen;
    if let Some(outer) = group_mask.mask() {
        mask(context, output, outer, scene_from_user, source);
        output.streams.end();
    }
    output.streams.end();
    output.streams.within = around;
}

/// Lowers an image: a raster image to a leaf, an SVG image to its elements.
fn image(context: &Context<'_>, output: &mut Output<'_>, image: &Image, placement: Placement) {
    if !image.is_visible() {
        return;
    }
    let (format, bytes) = match image.kind() {
        ImageKind::SVG(tree) => return svg_image(context, output, tree, placement),
        ImageKind::PNG(bytes) => (ImageFormat::Png, bytes),
        ImageKind::JPEG(bytes) => (ImageFormat::Jpeg, bytes),
        ImageKind::GIF(bytes) => (ImageFormat::Gif, bytes),
        ImageKind::WEBP(bytes) => (ImageFormat::WebP, bytes),
    };
    raster_image(context, output, image, format, bytes, placement);
}

/// Lowers an SVG image. SVG 2 (section 12.3) clips it to its viewport, whatever its `overflow` is.
fn svg_image(context: &Context<'_>, output: &mut Output<'_>, tree: &Tree, placement: Placement) {
    if !context.clip_to_viewport {
        return children(context, output, tree.root(), Some(placement));
    }
    let tree = unclipped(tree);
    let mut clip = context.clip_near(ClipShape::rect(viewport(tree), placement.scene_from_node));
    clip.shape_box = placement.widened(clip.shape_box);
    let source = output.sources.source();
    output.streams.begin_clip(&clip, None, source);
    children(context, output, tree.root(), Some(placement));
    output.streams.end();
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
