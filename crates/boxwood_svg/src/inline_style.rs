//! The declarations in the `style` attribute of an element, after the cascade.
//!
//! `css::resolve` leaves one declaration per property. Later passes put declarations with
//! `!important` before it, which take precedence, as in usvg.

use usvg::roxmltree::Node;

/// A declaration in a `style` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Declaration<'t> {
    pub(crate) property: &'t str,
    pub(crate) value: &'t str,
    is_important: bool,
}

/// The declarations of an element, in the order in which they take precedence: the first one first.
pub(crate) fn declarations<'a>(node: Node<'a, '_>) -> Vec<Declaration<'a>> {
    let Some(style) = node.attribute("style") else { return Vec::new() };
    let mut found: Vec<_> = split(style, |c| c == ';').into_iter().filter_map(declaration).collect();
    found.sort_by_key(|declaration| !declaration.is_important);
    found
}

/// The value of a property by the `style` attribute, or else by the attribute of its name.
pub(crate) fn declared<'a>(node: Node<'a, '_>, property: &str) -> Option<&'a str> {
    let in_style = declarations(node).into_iter().find(|declaration| declaration.property == property);
    in_style.map(|declaration| declaration.value).or_else(|| node.attribute(property).map(str::trim))
}

fn declaration(text: &str) -> Option<Declaration<'_>> {
    let (property, value) = text.split_once(':')?;
    let important = value.trim_end().strip_suffix("!important");
    let (property, value) = (property.trim(), important.unwrap_or(value).trim());
    Some(Declaration { property, value, is_important: important.is_some() })
}

/// The parts of a text between separators outside of parentheses and quotes, trimmed and without
/// empty ones.
pub(crate) fn split(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut depth, mut quote) = (0_u32, None);
    let parts = text.split(|c| {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, _) => return depth == 0 && is_separator(c),
        }
        false
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    #[test]
    fn important_declarations_take_precedence() {
        let document = parse("<a style='x:1!important;x: f(;\"\") ;y:2' y='3' z=' 4 '/>").expect("it is XML");
        let node = document.root_element();
        let values = ["x", "y", "z", "w"].map(|property| declared(node, property));
        assert_eq!(values, [Some("1"), Some("2"), Some("4"), None]);
        assert_eq!(declarations(node).len(), 3);
    }

    #[test]
    fn texts_are_split_outside_of_parentheses_and_quotes() {
        let parts = split(" a(b, 'c)', d),, \"e,f\" ,g)h,i", |c| c == ',');
        assert_eq!(parts, ["a(b, 'c)', d)", "\"e,f\"", "g)h", "i"]);
    }
}
