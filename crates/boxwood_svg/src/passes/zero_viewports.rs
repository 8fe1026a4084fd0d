//! usvg 0.49 draws the contents of a viewport without a size, and ignores a `viewBox` without one.
//!
//! Both disable rendering (SVG 2, sections 8.2 and 8.6). So a group around the contents of such an
//! `svg` is clipped to nothing, which keeps its object box. Such a pattern or marker gets a width
//! of zero, which usvg knows. What a `use` draws of an `svg` or `symbol` is an `svg` already.

use svgtypes::{Length, NumberListParser};

use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::passes::Tools;
use crate::passes::marked_effects::hide;
use crate::xml::EFFECTS;

/// The id of the clip path that hides the contents of viewports.
const NO_SIZE: &str = "boxwood-no-size";

/// What is done with a viewport without a size.
enum Change {
    Hide,
    Set(&'static str),
}

/// Hides the contents of viewports without a size.
pub(super) fn hide_contents(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let change = |node: Node<'_>| match node.tag() {
        "svg" if node.parent_element().is_some() && is_empty(node) => Some(Change::Hide),
        "pattern" if has_empty_view_box(node) => Some(Change::Set("width")),
        "marker" if has_empty_view_box(node) => Some(Change::Set("markerWidth")),
        _ => None,
    };
    let changes = document.elements().filter_map(|node| Some((node.id(), change(node)?)));
    let mut hidden = Vec::new();
    for (id, change) in changes.collect::<Vec<_>>() {
        match change {
            Change::Hide => {
                // usvg has no group for this `svg`, so the element around it would get its effects.
                EFFECTS.iter().for_each(|name| document.remove_attribute(id, name));
                hidden.push(document.wrap_contents(id, &[]));
            }
            Change::Set(size) => document.set_attribute(id, size, "0"),
        }
    }
    hide(hidden, NO_SIZE, document);
    Ok(())
}

/// The group around the contents of an `svg` that [`hide_contents`] has hidden.
pub(super) fn hidden_contents(svg: Node<'_>) -> Option<NodeId> {
    let group = svg.first_element_child().filter(|_| svg.has_tag("svg"))?;
    let id = group.attribute("clip-path")?.strip_prefix("url(#")?.strip_suffix(')')?;
    (id == NO_SIZE && group.number().is_none()).then(|| group.id())
}

/// Whether a viewport has no size.
fn is_empty(viewport: Node<'_>) -> bool {
    is_zero(viewport, "width") || is_zero(viewport, "height") || has_empty_view_box(viewport)
}

/// Whether a length of an element is zero, or negative: browsers do not draw such a viewport
/// either.
fn is_zero(node: Node<'_>, name: &str) -> bool {
    let length = node.attribute(name).and_then(|text| text.trim().parse::<Length>().ok());
    length.is_some_and(|length| length.number <= 0.0)
}

/// Whether the `viewBox` of an element has a width or height of zero. A negative one is an error.
fn has_empty_view_box(node: Node<'_>) -> bool {
    let numbers = |text| NumberListParser::from(text).collect::<Result<Vec<f64>, _>>().ok();
    let view_box = node.attribute("viewBox").and_then(numbers);
    matches!(view_box.as_deref(), Some([_, _, w, h]) if *w >= 0.0 && *h >= 0.0 && (*w == 0.0 || *h == 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::after;
    use crate::quirks::upstream::tree;

    const RECT: &str = "<rect width='9' height='9'/>";

    #[test]
    fn usvg_still_draws_in_viewports_without_a_size() {
        for drawn in [
            format!("<svg width='0' height='9'>{RECT}</svg>"),
            format!("<svg viewBox='0 0 0 9'>{RECT}</svg>"),
            format!("<symbol id='s' viewBox='0 0 9 0'>{RECT}</symbol><use href='#s'/>"),
            format!("<symbol id='s'>{RECT}</symbol><use href='#s' width='0' height='9'/>"),
            format!(
                "<pattern id='p' width='9' height='9' viewBox='0 0 9 0'>{RECT}</pattern><path d='M0 0H9V9' fill='url(#p)'/>"
            ),
        ] {
            assert!(tree(&drawn).root().has_children(), "{drawn}");
        }
    }

    #[test]
    fn viewports_without_a_size_are_hidden() {
        let is_edited = |elements: &str| {
            let text = format!("<svg width='0'>{elements}</svg>");
            let before = Document::parse(&text).expect("it is XML").to_xml();
            after(hide_contents, &text).0.to_xml() != before
        };
        for hidden in [
            "<svg width='0'/>",
            "<svg height=' 0% '/>",
            "<svg viewBox='0 0 0 10'/>",
            "<svg viewBox='0,0,0,0'/>",
            "<svg width='-1'/>",
            "<pattern viewBox='0 0 9 0'/>",
            "<marker viewBox='0 0 0 9'/>",
        ] {
            assert!(is_edited(hidden), "{hidden}");
        }
        for other in
            ["<svg viewBox='0 0 -5 5'/>", "<svg viewBox='0 0 5'/>", "<symbol width='0'/>", "<use width='0'/>"]
        {
            assert!(!is_edited(other), "{other}");
        }
    }
}
