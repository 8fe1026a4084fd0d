//! usvg 0.49 makes other sizes of the keywords of `font-size` than browsers, such as 20.7 px of
//! `xx-large`.
//!
//! CSS Fonts 4 (section 2.5.1) relates them to `medium` by fractions. Browsers round them. So usvg
//! gets the sizes of browsers. Keywords in style sheets stay.

use simplecss::DeclarationTokenizer;
use usvg::roxmltree::Document;

use crate::rewrite::Edits;

/// The property.
const FONT_SIZE: &str = "font-size";

/// The keywords, and their sizes in px.
const SIZES: [(&str, &str); 8] = [
    ("xx-small", "9px"),
    ("x-small", "10px"),
    ("small", "13px"),
    ("medium", "16px"),
    ("large", "18px"),
    ("x-large", "24px"),
    ("xx-large", "32px"),
    ("xxx-large", "48px"),
];

/// Replaces the keywords by sizes.
pub(crate) fn replace_keywords(document: &Document<'_>, edits: &mut Edits<'_>) {
    let size_of =
        |keyword: &str| SIZES.iter().find(|(name, _)| *name == keyword.trim()).map(|(_, size)| *size);
    for node in document.descendants() {
        if let Some(attribute) = node.attribute_node(FONT_SIZE)
            && let Some(size) = size_of(attribute.value())
            && let Some(range) = edits.range_of_value(attribute)
        {
            edits.replace(range, size);
        }
        let style = DeclarationTokenizer::from(node.attribute("style").unwrap_or_default());
        let declared = style.filter(|declaration| declaration.name == FONT_SIZE).last();
        if let Some(size) = declared.and_then(|declaration| size_of(declaration.value)) {
            edits.set_property(node, FONT_SIZE, size);
        }
    }
}

#[cfg(test)]
mod tests {
    use usvg::Node;

    use super::*;
    use crate::quirks::upstream::tree;
    use crate::xml::parse;

    #[test]
    fn usvg_still_has_other_sizes() {
        let drawn = tree("<rect font-size='xx-large' width='1em' height='9'/>");
        let [Node::Path(path)] = drawn.root().children() else { panic!("one path") };
        assert!(path.bounding_box().width() < 31.0, "browsers make it 32 wide");
    }

    #[test]
    fn keywords_in_attributes_become_sizes() {
        let text =
            "<a font-size='large '><b style='font-size: x-small'/><c font-size='larger' style='x:y'/></a>";
        let document = parse(text).expect("it is XML");
        let mut edits = Edits::new(&document);
        replace_keywords(&document, &mut edits);
        let expected =
            text.replace("large '>", "18px'>").replace("x-small", "x-small;font-size:10px!important");
        assert_eq!(edits.apply(), Some(expected));
    }
}
