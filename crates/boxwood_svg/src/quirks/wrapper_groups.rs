//! usvg 0.49 puts groups around elements. Nothing marks these groups as additions.
//!
//! - A path, text or image with an effect, such as a clip path or opacity, is inside of a group
//!   without an id.
//! - An image is inside of a group that places it. If the image covers its rectangle (`slice`), a
//!   further group clips it to that. The outermost of these groups has the id of the image.

use usvg::{Group, Node};

use crate::table::SourceKind;

/// The id and kind of the SVG element that a group comes from.
pub(crate) fn element_of(group: &Group) -> (&str, SourceKind) {
    let wrapped = match group.children() {
        _ if !group.id().is_empty() => image_id(group).map(|id| (id, SourceKind::Image)),
        [only] if group.should_isolate() => match only {
            Node::Path(path) => Some((path.id(), SourceKind::Path)),
            Node::Text(text) => Some((text.id(), SourceKind::Text)),
            Node::Group(inner) => image_id(inner).map(|id| (id, SourceKind::Image)),
            Node::Image(_) => None,
        },
        _ => None,
    };
    wrapped.filter(|(id, _)| !id.is_empty()).unwrap_or((group.id(), SourceKind::Group))
}

/// The id of the image that a group places or clips, `None` if it is another group.
pub(crate) fn image_id(group: &Group) -> Option<&str> {
    let places_image = |group: &Group| matches!(group.children(), [Node::Image(_)]);
    let clips_image = || {
        // usvg gives this group the box of the image's rectangle and not that of its contents.
        let to_own_box =
            group.clip_path().is_some_and(|clip| clip.root().bounding_box() == group.bounding_box());
        let is_around_placed =
            matches!(group.children(), [Node::Group(inner)] if inner.id().is_empty() && places_image(inner));
        to_own_box && is_around_placed
    };
    (places_image(group) || clips_image()).then(|| group.id())
}

/// The group that places or clips the image of a node, which may be inside of groups for effects.
pub(crate) fn image_group(node: &Node) -> Option<&Group> {
    let Node::Group(group) = node else { return None };
    match group.children() {
        _ if image_id(group).is_some() => Some(group),
        [only] => image_group(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_puts_groups_around_elements() {
        let drawn = tree("<rect id='r' width='9' height='9' opacity='.5'/>");
        let [Node::Group(group)] = drawn.root().children() else { panic!("a group around the path") };
        assert!(group.id().is_empty() && matches!(group.children(), [Node::Path(path)] if path.id() == "r"));
        assert_eq!(element_of(group), ("r", SourceKind::Path));

        let gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
        for (fit, depth) in [("meet", 1), ("slice", 2)] {
            let fit = format!("preserveAspectRatio='xMidYMid {fit}'");
            let drawn = tree(&format!("<image id='i' width='9' height='5' {fit} href='{gif}'/>"));
            let [Node::Group(outermost)] = drawn.root().children() else {
                panic!("a group around the image")
            };
            assert_eq!((outermost.id(), element_of(outermost)), ("i", ("i", SourceKind::Image)));
            let mut children = outermost.children();
            for _ in 1..depth {
                let [Node::Group(inner)] = children else { panic!("{depth} groups around the image") };
                children = inner.children();
            }
            assert!(matches!(children, [Node::Image(image)] if image.id().is_empty()));
        }
    }
}
