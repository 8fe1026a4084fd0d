//! usvg 0.49 removes an element whose clip path or mask has no contents that it keeps, such as a
//! shape without size, or for a clip path, a group. It does so for a filter without primitives,
//! too.
//!
//! CSS Masking (sections 3.5 and 4) and Filter Effects (section 5) let such an effect hide the
//! element, whose object box stays. So a clip path or mask gets a path without interior, which usvg
//! keeps and which lets nothing through. A filter gets a merge of nothing.

use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::passes::Tools;
use svgtypes::{Length, PathParser, PointsParser};

/// The attributes of a path without interior.
pub(super) const NO_INTERIOR: [(&str, &str); 3] =
    [("d", "M0 0H1"), ("display", "inline"), ("clip-path", "none")];

/// The attributes by which an element may be dropped, whatever its geometry is.
const DROPPING: [&str; 5] = ["clip-path", "display", "requiredExtensions", "systemLanguage", "transform"];

/// Adds contents that paint nothing to each clip path that may have no contents, and to each mask
/// and filter that has none.
pub(super) fn fill(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let empty = document.elements().filter_map(|effect| Some((effect.id(), missing_contents(effect)?)));
    for (effect, name) in empty.collect::<Vec<(NodeId, &str)>>() {
        document.append_element(effect, name, if name == "path" { &NO_INTERIOR } else { &[] });
    }
    Ok(())
}

/// The element that an effect may need for contents.
fn missing_contents(effect: Node<'_>) -> Option<&'static str> {
    match effect.tag() {
        "mask" if !effect.children().any(may_be_kept) => Some("path"),
        "clipPath" if !effect.children().any(is_kept) => Some("path"),
        "filter" if !effect.children().any(is_primitive) && effect.local_href().is_none() => Some("feMerge"),
        _ => None,
    }
}

fn is_primitive(node: Node<'_>) -> bool {
    node.is_element() && node.tag().starts_with("fe")
}

/// Whether usvg may keep an element in a mask.
fn may_be_kept(node: Node<'_>) -> bool {
    match node.tag() {
        _ if node.attribute("display") == Some("none") => false,
        "a" | "g" | "switch" => node.children().any(may_be_kept),
        "image" | "line" | "svg" | "text" | "use" => true,
        _ => has_size(node),
    }
}

/// Whether usvg certainly keeps an element in a clip path.
fn is_kept(shape: Node<'_>) -> bool {
    has_size(shape) && !DROPPING.iter().any(|name| shape.has_attribute(name))
}

/// Whether an element is a shape that surely has a size by its attributes.
fn has_size(shape: Node<'_>) -> bool {
    let is_positive = |name: &str| {
        let length = shape.attribute(name).and_then(|text| text.trim().parse::<Length>().ok());
        length.is_some_and(|length| length.number > 0.0)
    };
    let text = |name| shape.attribute(name).unwrap_or_default();
    match shape.tag() {
        "rect" => is_positive("width") && is_positive("height"),
        "circle" => is_positive("r"),
        "ellipse" => is_positive("rx") && is_positive("ry"),
        "path" => PathParser::from(text("d")).take(2).flatten().count() == 2,
        "polygon" | "polyline" => PointsParser::from(text("points")).nth(1).is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::contents_after;
    use crate::quirks::upstream::tree;

    /// Contents of clip paths that usvg does not keep.
    const EMPTY: [&str; 8] = [
        "",
        "<g><rect width='9' height='9'/></g>",
        "<rect width='9'/>",
        "<rect width='9' height='9' display='none'/>",
        "<rect width='9' height='9' style='display:none'/>",
        "<path d='M9 9'/>",
        "<line x2='9'/>",
        "<use href='#none'/>",
    ];

    #[test]
    fn usvg_still_removes_elements_with_empty_effects() {
        for contents in EMPTY {
            let drawn = tree(&format!(
                "<clipPath id='c'>{contents}</clipPath><rect width='9' height='9' clip-path='url(#c)'/>"
            ));
            assert!(!drawn.root().has_children(), "{contents}");
        }
        for effect in ["mask", "filter"] {
            let shape = "<rect width='9' height='9'";
            let drawn = tree(&format!("<{effect} id='e'/>{shape} {effect}='url(#e)'/>"));
            assert!(!drawn.root().has_children(), "{effect}");
        }
    }

    #[test]
    fn only_masks_and_filters_that_are_empty_get_contents() {
        let filled = |effect: &str| {
            let text = format!("<svg xmlns:s='http://www.w3.org/2000/svg'>{effect}</svg>");
            contents_after(fill, &text).contains("M0 0H1") || contents_after(fill, &text).contains("feMerge")
        };
        for empty in [
            "<s:mask/>",
            "<s:filter/>",
            "<mask><g><rect width='9'/><title>a</title></g></mask>",
            "<mask><rect width='9' height='9' display='none'/></mask>",
            "<filter><title>a</title></filter>",
        ] {
            assert!(filled(empty), "{empty}");
        }
        for other in [
            "<mask><g><circle r='9'/></g></mask>",
            "<mask><use href='#a'/></mask>",
            "<filter><feFlood/></filter>",
            "<filter href='#a'/>",
        ] {
            assert!(!filled(other), "{other}");
        }
    }

    #[test]
    fn only_clip_paths_that_may_be_empty_get_a_path() {
        let filled = |contents: &str| {
            let text = format!("<svg xmlns:s='http://www.w3.org/2000/svg'>{contents}</svg>");
            contents_after(fill, &text).matches("M0 0H1").count()
        };
        // The cascade has resolved `style` attributes.
        for contents in EMPTY.iter().filter(|contents| !contents.contains("style")) {
            assert_eq!(filled(&format!("<s:clipPath>{contents}</s:clipPath>")), 1, "{contents}");
        }
        assert_eq!(filled("<s:clipPath/>"), 1);
        for shape in ["<path d='M0 0H9V9'/>", "<polygon points='0,0 9,9 0,9'/>", "<g/><circle r='1px'/>"] {
            let clip_path = format!("<s:clipPath>{shape}</s:clipPath>");
            assert_eq!(filled(&clip_path), 0, "{shape}");
        }
    }
}
