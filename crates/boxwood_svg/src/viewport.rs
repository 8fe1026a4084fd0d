//! Drawings that are images, cut to their viewports.
//!
//! resvg lets such a drawing overflow. But it cuts an image to the image's own rectangle where that is to be covered
//! (`preserveAspectRatio="slice"`): so a drawing that overflows becomes the only image of another one of the same size.

use std::sync::Mutex;

use resvg::tiny_skia::PathBuilder;
use usvg::{
    BlendMode, ClipPath, Group, ImageHrefResolver, ImageKind, Node, Opacity, Options, Transform, Tree,
};

use crate::path::rect;

/// A drawing of which nothing outside of the viewport is drawn: this one as it is, or in another. `None` if usvg cannot size that.
pub(crate) fn cut(drawing: Tree) -> Option<Tree> {
    let viewport = rect(drawing.size().to_non_zero_rect(0.0, 0.0));
    let drawn = rect(drawing.root().layer_bounding_box());
    if viewport.union(drawn) == viewport {
        return Some(drawing);
    }
    let size = format!("width='{}' height='{}'", viewport.width(), viewport.height());
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {size}>
            <image {size} preserveAspectRatio='none slice' href='drawing'/></svg>"
    );
    let drawing = Mutex::new(Some(drawing));
    let resolve_string = |_: &str, _: &Options<'_>| Some(ImageKind::SVG(drawing.lock().ok()?.take()?));
    let image_href_resolver =
        ImageHrefResolver { resolve_string: Box::new(resolve_string), ..ImageHrefResolver::default() };
    let around = Tree::from_str(&text, &Options { image_href_resolver, ..Options::default() }).ok()?;
    drawing_in(&around).is_some().then_some(around)
}

/// The drawing that was cut: the innermost of those that only cut one of their own size. Any other drawing is itself.
pub(crate) fn uncut(tree: &Tree) -> &Tree {
    let mut innermost = tree;
    while let Some(drawing) = drawing_in(innermost) {
        innermost = drawing;
    }
    innermost
}

/// The drawing that is all of another one, at the same place and of the same size.
fn drawing_in(around: &Tree) -> Option<&Tree> {
    let [Node::Group(cut)] = around.root().children() else { return None };
    let [Node::Group(placed)] = cut.children() else { return None };
    let [Node::Image(image)] = placed.children() else { return None };
    let ImageKind::SVG(drawing) = image.kind() else { return None };
    // usvg puts an image into a group that only places it.
    let is_same = drawing.size() == around.size()
        && image.is_visible()
        && placed.transform() == Transform::identity()
        && has_no_effect(cut)
        && cut.clip_path().is_some_and(|clip_path| is_viewport(clip_path, around));
    is_same.then_some(drawing)
}

/// Whether a group, but for its clip path, changes nothing of what is in it.
fn has_no_effect(group: &Group) -> bool {
    group.transform() == Transform::identity()
        && group.opacity() == Opacity::ONE
        && group.blend_mode() == BlendMode::Normal
        && group.mask().is_none()
        && group.filters().is_empty()
}

/// Whether a clip path is the rectangle of the viewport.
fn is_viewport(clip_path: &ClipPath, of: &Tree) -> bool {
    let viewport = PathBuilder::from_rect(of.size().to_non_zero_rect(0.0, 0.0).to_rect());
    let [Node::Path(path)] = clip_path.root().children() else { return false };
    *path.data() == viewport
        && path.is_visible()
        && clip_path.clip_path().is_none()
        && clip_path.transform() == Transform::identity()
}
