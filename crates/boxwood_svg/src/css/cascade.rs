//! The declarations that apply to an element, in the order of the cascade.

use simplecss::Selector;
use usvg::roxmltree::{Document, Node};

use crate::css::values::split;
use crate::xml::Selectable;

/// A declaration of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration<'t> {
    pub(crate) property: &'static str,
    pub(crate) value: &'t str,
    /// Whether it is in a style sheet, not in an attribute.
    pub(crate) is_in_sheet: bool,
    is_important: bool,
}

/// The texts of the style sheets of a document, without comments. usvg reads the same ones.
pub(crate) fn sheets(document: &Document<'_>) -> Vec<String> {
    let is_css = |node: &Node<'_, '_>| {
        node.has_tag_name("style") && matches!(node.attribute("type"), None | Some("text/css"))
    };
    let text = |node: Node<'_, '_>| {
        let texts = node.children().filter(Node::is_text);
        without_comments(&texts.filter_map(|text| text.text()).collect::<String>())
    };
    document.descendants().filter(is_css).map(text).collect()
}

/// The declarations of some properties in the style sheets of a document.
pub(crate) struct Cascade<'t> {
    properties: &'static [&'static str],
    /// In the order in which they take precedence: the last one first.
    rules: Vec<(Selector<'t>, Vec<Declaration<'t>>)>,
}

impl<'t> Cascade<'t> {
    /// The declarations of these properties. At-rules are skipped, as by usvg.
    pub(crate) fn new(sheets: &'t [String], properties: &'static [&'static str]) -> Self {
        let mut rules = Vec::new();
        for sheet in sheets {
            let mut rest = sheet.trim_start();
            while !rest.is_empty() {
                let block = rest.find('{');
                let statement =
                    rest.find(';').filter(|at| rest.starts_with('@') && block.is_none_or(|b| *at < b));
                if let Some(at) = statement {
                    rest = rest[at + 1..].trim_start();
                    continue;
                }
                let Some(block) = block else { break };
                let (selectors, inside) = (&rest[..block], &rest[block + 1..]);
                let end = end_of_block(inside);
                if !selectors.starts_with('@') {
                    let declarations = declarations(&inside[..end], true, properties);
                    if !declarations.is_empty() {
                        let selectors =
                            split(selectors, |c| c == ',').into_iter().filter_map(Selector::parse);
                        rules.extend(selectors.map(|selector| (selector, declarations.clone())));
                    }
                }
                rest = inside.get(end + 1..).unwrap_or_default().trim_start();
            }
        }
        rules.sort_by_key(|(selector, _)| selector.specificity());
        rules.reverse();
        // Within a rule, the last declaration takes precedence.
        rules.iter_mut().for_each(|(_, declarations)| declarations.reverse());
        Self { properties, rules }
    }

    /// The declarations of an element by its `style` attribute and by style sheets. The first one
    /// takes precedence.
    pub(crate) fn of<'a>(&'a self, node: Node<'a, '_>) -> Vec<Declaration<'a>> {
        let mut found = declarations(node.attribute("style").unwrap_or_default(), false, self.properties);
        found.reverse();
        let rules = self.rules.iter().filter(|(selector, _)| selector.matches(&Selectable(node)));
        found.extend(rules.flat_map(|(_, declarations)| declarations).cloned());
        found.sort_by_key(|declaration| !declaration.is_important);
        found
    }
}

/// The declarations of some properties in a block or in a `style` attribute, in order.
fn declarations<'t>(text: &'t str, is_in_sheet: bool, properties: &[&'static str]) -> Vec<Declaration<'t>> {
    let declaration = |text| {
        let (name, value) = str::split_once(text, ':')?;
        let property = properties.iter().find(|property| property.eq_ignore_ascii_case(name.trim()))?;
        let important =
            value.rsplit_once('!').filter(|(_, word)| word.trim().eq_ignore_ascii_case("important"));
        let value = important.map_or(value, |(value, _)| value).trim();
        Some(Declaration { property, value, is_in_sheet, is_important: important.is_some() })
    };
    split(text, |c| c == ';').into_iter().filter_map(declaration).collect()
}

/// The end of the block that a text is the inside of.
fn end_of_block(inside: &str) -> usize {
    let (mut depth, mut quote) = (0, None);
    let end = inside.find(|c| {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth -= 1,
            (None, _) => {}
        }
        depth < 0
    });
    end.unwrap_or(inside.len())
}

/// The text with a space in place of each comment. A string may contain what looks like a comment.
fn without_comments(text: &str) -> String {
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
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    #[test]
    fn comments_end_at_the_first_end() {
        assert_eq!(without_comments("a/* x */* { b }/*/ y */c"), "a * { b } c");
        assert_eq!(
            without_comments("a { b: '/*'; c: \"*/\" } /* ' */ d /* e"),
            "a { b: '/*'; c: \"*/\" }   d  "
        );
        assert_eq!(without_comments("a: 'b\n/* c */d"), "a: 'b\n d");
    }

    #[test]
    fn declarations_are_in_the_order_of_the_cascade() {
        let text = "<svg><style>@import 'x'; @media print { #a { x: 1 } }
            #a, b { x: 2; X: 3 !important } b { x: 4; y: f(';}') } * { x: 5/* ; x: 6 */ } .c { x: 7 }</style>
            <b id='a' style='x: 8; x : 9;z;w:f((1) 2)'/></svg>";
        let document = parse(text).expect("it is XML");
        let sheets = sheets(&document);
        let cascade = Cascade::new(&sheets, &["x", "w"]);
        let element = document.descendants().find(|node| node.has_tag_name("b")).expect("it is there");
        let found = cascade.of(element);
        let values: Vec<_> = found.iter().filter(|d| d.property == "x").map(|d| d.value).collect();
        // The selector `b` has a lower specificity than `#a`.
        assert_eq!(values, ["3", "3", "9", "8", "2", "4", "2", "5"]);
        assert!(found.iter().any(|d| d.property == "w" && d.value == "f((1) 2)" && !d.is_in_sheet));
    }
}
