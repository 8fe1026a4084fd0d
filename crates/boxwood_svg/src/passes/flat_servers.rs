//! usvg 0.49 paints with gradients and patterns whose transform cannot be inverted, such as
//! `scale(0)`.
//!
//! Chromium takes such a reference as invalid, so the fallback applies, or nothing is painted.

use std::str::FromStr;

use kurbo::Affine;
use svgtypes::Transform;

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::guard::references::{Ids, ids_in};
use crate::passes::Tools;

/// The paint servers with the attributes for their transforms.
const SERVERS: [(&str, &str); 3] = [
    ("linearGradient", "gradientTransform"),
    ("radialGradient", "gradientTransform"),
    ("pattern", "patternTransform"),
];

/// The largest number of references from server to server that are followed. It bounds the time
/// that long chains and cycles take.
const MAX_LINKS: usize = 100;

/// Replaces the references to gradients and patterns with singular transforms.
pub(super) fn remove(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let ids = Ids::new(document);
    if !document.elements().any(|node| is_flat(node, &ids)) {
        return Ok(());
    }
    let mut changes = Vec::new();
    for node in document.elements() {
        for property in ["fill", "stroke"] {
            let Some(value) = node.attribute(property).filter(|value| value.starts_with("url(")) else {
                continue;
            };
            let server = ids_in(value).next().and_then(|id| ids.first(id));
            if server.is_some_and(|server| is_flat(server, &ids)) {
                let fallback = value.split_once(')').map_or("", |(_, rest)| rest.trim());
                let paint = if fallback.is_empty() { "none" } else { fallback };
                changes.push((node.id(), property, paint.to_owned()));
            }
        }
    }
    changes.into_iter().for_each(|(id, property, paint)| document.set_attribute(id, property, paint));
    Ok(())
}

/// Whether an element is a paint server with a singular transform, possibly that of the server that
/// it refers to.
fn is_flat<'d>(node: Node<'d>, ids: &Ids<'d>) -> bool {
    let attribute = |node: Node<'_>| SERVERS.iter().find(|(tag, _)| node.has_tag(tag)).map(|(_, name)| *name);
    let servers = std::iter::successors(Some(node), |node| ids.of_href(*node).first().copied());
    for node in servers.take(MAX_LINKS) {
        let Some(name) = attribute(node) else { return false };
        if let Some(text) = node.attribute(name) {
            let Ok(Transform { a, b, c, d, e, f }) = Transform::from_str(text) else { return false };
            return Affine::new([a, b, c, d, e, f]).determinant() == 0.0;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::contents_after;
    use crate::quirks::upstream::tree;

    const GRADIENT: &str =
        "<linearGradient id='g' gradientTransform='scale(0 1)'><stop/><stop offset='1'/></linearGradient>";

    #[test]
    fn usvg_still_paints_with_singular_gradients() {
        let drawn = tree(&format!("{GRADIENT}<rect width='9' height='9' fill='url(#g)'/>"));
        assert!(drawn.root().has_children());
    }

    #[test]
    fn the_fallback_replaces_a_singular_server() {
        for (server, is_replaced) in [
            (GRADIENT, true),
            ("<pattern id='g' patternTransform='scale(0)'/>", true),
            ("<radialGradient id='h' gradientTransform='scale(0)'/><linearGradient id='g' href='#h'/>", true),
            ("<linearGradient id='g' href='#g'/><radialGradient gradientTransform='scale(0)'/>", false),
            ("<linearGradient id='g' gradientTransform='scale(2)'/>", false),
        ] {
            let text = format!("<svg>{server}<g fill='url(#g)' stroke=\"url('#g') lime\"/></svg>");
            let contents = contents_after(remove, &text);
            let replaced = contents.contains("<g fill=\"none\" stroke=\"lime\"/>");
            assert_eq!(replaced, is_replaced, "{contents}");
        }
    }
}
