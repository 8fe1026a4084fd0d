//! The cascade of CSS, and the values of CSS that usvg does not read.
//!
//! [`resolve`] runs before the passes. It turns the declarations that apply to each element into
//! attributes in the form that usvg reads, or into attributes in the namespace
//! [`STYLE`](crate::dom::STYLE) for properties without one. `style` attributes are removed, and
//! `Document::to_xml` leaves the style sheets out.
//!
//! | file | contents |
//! |---|---|
//! | `rules.rs` | parsing style sheets, nesting, and layers |
//! | `font_faces.rs` | `@font-face` |
//! | `conditions.rs`, `media.rs` | `@supports` and `@media` |
//! | `matching.rs` | selectors and elements |
//! | `cascade.rs` | the declarations that apply to an element |
//! | `variables.rs` | custom properties |
//! | `properties.rs`, `shorthands.rs` | the tables of properties |
//! | `grammar.rs`, `colors.rs` | parsing and writing values |
//! | `ignored.rs` | what is reported as ignored |
//! | `values.rs`, `sizes.rs`, `transforms.rs` | evaluating lengths and transforms |
//! | `shapes.rs`, `gradients.rs` | evaluating shapes and gradients |

mod cascade;
mod colors;
mod conditions;
pub(crate) mod font_faces;
pub(crate) mod gradients;
mod grammar;
mod ignored;
pub(crate) mod matching;
mod media;
mod properties;
mod rules;
pub(crate) mod shapes;
mod shorthands;
pub(crate) mod sizes;
pub(crate) mod transforms;
pub(crate) mod values;
mod variables;

use std::borrow::Cow;

pub(crate) use cascade::{Resolved, resolve};
pub(crate) use grammar::reference_to;
pub(crate) use properties::unsupported_unit;

/// The value of a declaration without `!important`, and whether it has that.
fn without_important(value: &str) -> (&str, bool) {
    let important = value.rsplit_once('!').filter(|(_, word)| word.trim().eq_ignore_ascii_case("important"));
    important.map_or((value.trim(), false), |(value, _)| (value.trim(), true))
}

/// The text with a space in place of each comment. A string may contain what looks like a comment.
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let (mut rest, mut found) = (text, String::with_capacity(text.len()));
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            found.push(' ');
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        // A string ends with its quotation mark, or with the line.
        let length = match c {
            '"' | '\'' => rest[1..].find([c, '\n']).map_or(rest.len(), |end| end + 2),
            _ => c.len_utf8(),
        };
        let (kept, after) = rest.split_at(length);
        found.push_str(kept);
        rest = after;
    }
    Cow::Owned(found)
}

/// What several tests need.
#[cfg(test)]
mod testing {
    use super::properties::PROPERTIES;
    use super::resolve;
    use crate::dom::Document;
    use crate::guard::deadline::Deadline;
    use crate::warnings::Warnings;

    /// The parts of CSS that are ignored in a document, and the document with the cascade resolved.
    pub(super) fn resolved(text: &str) -> (Vec<String>, Document) {
        let mut document = Document::parse(text).expect("it is XML");
        let warnings = Warnings::default();
        resolve(&mut document, &warnings, &Deadline::default()).expect("it is in time");
        let ignored =
            warnings.take().into_iter().map(|warning| format!("{} x {}", warning.count, warning.first));
        (ignored.collect(), document)
    }

    fn text(body: &str) -> String {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink' width='200' height='100'>{body}</svg>"
        )
    }

    /// An attribute of the element with the id `a`, with the cascade resolved.
    pub(super) fn attribute(body: &str, name: &str) -> Option<String> {
        let (_, document) = resolved(&text(body));
        let mut elements = document.elements();
        let element = elements.find(|node| node.attribute("id") == Some("a")).expect("an element has the id");
        element.attribute(name).map(str::to_owned)
    }

    /// The properties of the element with the id `a` that the cascade sets, in the order of
    /// [`PROPERTIES`].
    pub(super) fn style(body: &str) -> String {
        let (text, (_, resolved)) = (text(body), resolved(&text(body)));
        let original = Document::parse(&text).expect("it is XML");
        let element = resolved.elements().find(|node| node.attribute("id") == Some("a"));
        let element = element.expect("an element has the id");
        let before = original.node(element.id());
        let set = PROPERTIES.iter().filter_map(|property| {
            let value = element.declared(property.name)?;
            (before.attribute(property.name) != Some(value)).then(|| format!("{}:{value}", property.name))
        });
        set.collect::<Vec<_>>().join(";")
    }

    /// The value of a declaration as it is written for usvg, empty if it is dropped.
    pub(super) fn written(property: &str, value: &str) -> String {
        let style = style(&format!("<style>#a {{ {property}: {value} }}</style><g id='a'/>"));
        style.strip_prefix(&format!("{property}:")).unwrap_or(&style).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_at_the_first_end() {
        assert_eq!(without_comments("a/* x */* { b }/*/ y */c"), "a * { b } c");
        assert_eq!(
            without_comments("a { b: '/*'; c: \"*/\" } /* ' */ d /* e"),
            "a { b: '/*'; c: \"*/\" }   d  "
        );
        assert_eq!(without_comments("a: 'b\n/* c */d"), "a: 'b\n d");
    }
}
