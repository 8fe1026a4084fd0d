//! resvg 0.49 does not clip an SVG image to its viewport.
//!
//! SVG 2 (section 12.3) clips it whatever its `overflow` is. resvg does clip an image whose
//! rectangle is to be covered (`preserveAspectRatio="slice"`). So an SVG image that overflows
//! becomes the only image of another drawing of the same size.

use std::sync::Mutex;

use resvg::tiny_skia::PathBuilder;
use usvg::{
    BlendMode, ClipPath, Group, ImageHrefResolver, ImageKind, Node, Opacity, Options, Transform, Tree,
};

use crate::geometry::{rect, sized};

/// The same drawing clipped to its viewport: as it is if nothing overflows, else inside of another
/// drawing. `None` if usvg refuses the size of the other drawing.
pub(crate) fn clipped(drawing: Tree) -> Option<Tree> {
    let viewport = sized(drawing.size());
    if viewport.union(rect(drawing.root().layer_bounding_box().to_rect())) == viewport {
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

/// The drawing that [`clipped`] was given. A drawing that only clips another one of its size counts
/// as its result.
pub(crate) fn unclipped(tree: &Tree) -> &Tree {
    let mut innermost = tree;
    while let Some(drawing) = drawing_in(innermost) {
        innermost = drawing;
    }
    innermost
}

/// The drawing that is all of another one, at the same place and of the same size.
fn drawing_in(around: &Tree) -> Option<&Tree> {
    let [Node::Group(clip)] = around.root().children() else { return None };
    let [Node::Group(placed)] = clip.children() else { return None };
    let [Node::Image(image)] = placed.children() else { return None };
    let ImageKind::SVG(drawing) = image.kind() else { return None };
    let is_same = drawing.size() == around.size()
        && image.is_visible()
        && placed.transform() == Transform::identity()
        && only_clips(clip)
        && clip.clip_path().is_some_and(|clip_path| is_viewport(clip_path, around));
    is_same.then_some(drawing)
}

/// Whether a group has no effect except its clip path.
fn only_clips(group: &Group) -> bool {
    group.transform() == Transform::identity()
        && group.opacity() == Opacity::ONE
        && group.blend_mode() == BlendMode::Normal
        && group.mask().is_none()
        && group.filters().is_empty()
}

/// Whether a clip path is the rectangle of a viewport.
fn is_viewport(clip_path: &ClipPath, of: &Tree) -> bool {
    let viewport = PathBuilder::from_rect(of.size().to_non_zero_rect(0.0, 0.0).to_rect());
    let [Node::Path(path)] = clip_path.root().children() else { return false };
    *path.data() == viewport
        && path.is_visible()
        && clip_path.clip_path().is_none()
        && clip_path.transform() == Transform::identity()
}

#[cfg(test)]
mod tests {
    use crate::quirks::upstream::{first_painted, tree};

    #[test]
    fn resvg_still_lets_an_svg_image_overflow() {
        let image = tree(
            "<image x='50' y='50' width='20' height='20' href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'
                width='20' height='20'%3E%3Crect x='-30' y='-30' width='40' height='40'/%3E%3C/svg%3E\"/>",
        );
        assert_eq!(first_painted(&image), [50 - 30; 2], "SVG clips it at 50");
    }
}
