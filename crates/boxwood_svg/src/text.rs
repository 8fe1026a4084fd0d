//! More or fewer elements in the root of a document's text.

use std::ops::Range;

use usvg::roxmltree::{Document, Error, ParsingOptions};

fn parse(text: &str) -> Result<Document<'_>, Error> {
    Document::parse_with_options(text, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
}

/// The text of a document in UTF-8, with more elements as the last contents of its root.
///
/// # Panics
///
/// If the text is not XML.
pub(crate) fn append(text: &str, elements: &str) -> String {
    let document = parse(text).expect("the text of a drawing is XML");
    let root = document.root_element().range();
    let tag = &text[root.clone()];
    let mut appended = text.to_owned();
    if let Some(empty) = tag.strip_suffix("/>") {
        let name = empty[1..].split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
        appended.replace_range(root.end - "/>".len()..root.end, &format!(">{elements}</{name}>"));
    } else {
        let contents = tag.rfind("</").expect("an element with contents has an end tag");
        appended.insert_str(root.start + contents, elements);
    }
    // The declaration is before the root, so the positions above stay.
    let encoding = range_of_encoding(text);
    if let Some(encoding) = encoding.filter(|range| !text[range.clone()].eq_ignore_ascii_case("UTF-8")) {
        appended.replace_range(encoding, "UTF-8");
    }
    appended
}

/// The text of a document without the elements with this id directly inside of its root, each with
/// the end of its last line. `None` if there are none, or if the text is not XML.
pub(crate) fn without(text: &str, id: &str) -> Option<String> {
    let document = Some(text).filter(|text| text.contains(id)).and_then(|text| parse(text).ok())?;
    let root = document.root_element();
    let removed = root.children().filter(|child| child.attribute("id") == Some(id));
    // roxmltree reports other positions for an element from an entity.
    let ranges = removed.map(|element| element.range()).filter(|range| range.start > root.range().start);
    let ranges: Vec<_> = ranges.collect();
    let mut left = text.to_owned();
    // The last one goes first, so that the positions of the others stay.
    for Range { start, end } in ranges.iter().rev() {
        let has_line_end = text[*end..].starts_with('\n');
        left.replace_range(*start..end + usize::from(has_line_end), "");
    }
    (!ranges.is_empty()).then_some(left)
}

/// The range of the name of the encoding that the XML declaration has.
fn range_of_encoding(text: &str) -> Option<Range<usize>> {
    let declaration = text.split_once("?>")?.0;
    let has_declaration = declaration.strip_prefix("<?xml")?.starts_with(|c: char| c.is_ascii_whitespace());
    let attribute = declaration.find("encoding").filter(|_| has_declaration)?;
    let start = attribute + declaration[attribute..].find(['"', '\''])? + 1;
    let length = declaration[start..].find(['"', '\''])?;
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_the_last_contents_of_the_root() {
        for (before, after) in [
            ("<svg><g/>é</svg >\n<!-- </svg> -->", "<svg><g/>é<new/></svg >\n<!-- </svg> -->"),
            ("<s:svg xmlns:s='u' a='/>'/>", "<s:svg xmlns:s='u' a='/>'><new/></s:svg>"),
            ("<svg/>", "<svg><new/></svg>"),
            (
                "<!DOCTYPE svg [<!ENTITY e '<g>é</g>'>]><svg>&e;</svg>",
                "<!DOCTYPE svg [<!ENTITY e '<g>é</g>'>]><svg>&e;<new/></svg>",
            ),
            (
                "<?xml version='1.0' encoding = \"ISO-8859-1\"?><svg>é</svg>",
                "<?xml version='1.0' encoding = \"UTF-8\"?><svg>é<new/></svg>",
            ),
            ("<?xml-stylesheet encoding='x'?><svg/>", "<?xml-stylesheet encoding='x'?><svg><new/></svg>"),
        ] {
            assert_eq!(append(before, "<new/>"), after);
        }
    }

    #[test]
    fn elements_with_an_id_are_removed() {
        let text = "<svg>.<g id='new'><g id='new'/></g>\n<g id='old'/><g id='new'/></svg>";
        assert_eq!(without(text, "new").as_deref(), Some("<svg>.<g id='old'/></svg>"));
        for text in ["<svg><g><g id='new'/></g></svg>", "<svg id='new'/>", "<svg><g id='new'"] {
            assert_eq!(without(text, "new"), None, "{text}");
        }
        let entity = "<!DOCTYPE svg [<!ENTITY e '<g id=\"new\"/>'>]><svg>&e;</svg>";
        assert_eq!(without(entity, "new"), None, "an entity may stand for several elements");
    }
}
