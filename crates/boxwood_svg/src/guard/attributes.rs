//! The number of attributes of an element.

use crate::error::{LimitError, Quantity};
use crate::guard::limits::MAX_ATTRIBUTES;

/// Checks that no element of a text has too many attributes.
///
/// # Errors
///
/// If one has more than [`MAX_ATTRIBUTES`].
pub(crate) fn check(text: &str) -> Result<(), LimitError> {
    let (mut most, mut rest) = (0, text);
    while let Some((_, markup)) = rest.split_once('<') {
        rest = markup;
        // What is inside of these is not a tag: a script may compare and quote.
        let end = SECTIONS.iter().find_map(|(start, end)| markup.starts_with(start).then_some(end));
        match end {
            Some(end) => rest = markup.split_once(end).map_or("", |(_, after)| after),
            // A value contains no `<`, so the next tag is after this one.
            None => most = n_attributes(markup).max(most),
        }
    }
    Quantity::Attributes.check(most as f64, MAX_ATTRIBUTES as f64)
}

/// The starts of comments, of CDATA, and of instructions after their `<`, and their ends.
const SECTIONS: [(&str, &str); 3] = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];

/// The number of attributes of a start tag, from the text after its `<`.
fn n_attributes(text: &str) -> usize {
    // An end tag, or a declaration of the document type.
    if text.starts_with(['/', '!']) {
        return 0;
    }
    let (mut n, mut open) = (0, None);
    for byte in text.bytes() {
        match open {
            Some(quote) if byte == quote => {
                n += 1;
                open = None;
            }
            // A value contains no `<`: the text is not well-formed.
            _ if byte == b'<' => break,
            None if byte == b'>' => break,
            None if matches!(byte, b'"' | b'\'') => open = Some(byte),
            Some(_) | None => {}
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_count_by_the_quotes_of_a_start_tag() {
        let counts = [
            ("rect a='1' b=\"'>\">'text'", 2),
            ("g/>a='1'", 0),
            ("/g a='1'>", 0),
            ("!DOCTYPE svg SYSTEM 'a'>", 0),
            ("rect a='1", 0),
            ("rect a='<b c='1'>", 0),
        ];
        for (text, n) in counts {
            assert_eq!(n_attributes(text), n, "{text}");
        }
    }

    #[test]
    fn an_element_may_have_attributes_up_to_the_limit() {
        let element = |n: usize| {
            let attributes: String = (0..n).map(|i| format!(" a{i}=''")).collect();
            format!("<svg><rect{attributes}/></svg>")
        };
        assert!(check(&element(MAX_ATTRIBUTES)).is_ok());
        let error = check(&element(MAX_ATTRIBUTES + 1)).expect_err("there is one too many");
        assert_eq!((error.quantity, error.count), (Quantity::Attributes, 257.0));
    }

    #[test]
    fn comments_and_scripts_have_no_attributes() {
        let strings = "'a', ".repeat(2 * MAX_ATTRIBUTES);
        for section in [
            format!("<!-- i<n; {strings} -->"),
            format!("<![CDATA[i<n; {strings}]]>"),
            format!("<?i<n; {strings}?>"),
        ] {
            assert!(check(&format!("<svg>{section}</svg>")).is_ok(), "{section}");
            assert!(
                check(&format!("<svg>{section}<rect {strings}/></svg>")).is_err(),
                "it is after the section"
            );
        }
    }
}
