//! Namespaces that a document type declaration declares by default.
//!
//! XML (section 3.3.2) applies the default values of attributes in the internal subset, and `xmlns`
//! attributes are among them. roxmltree does not, so it would refuse the prefixes. So the root gets
//! these declarations.

/// The text with the namespaces that its `<!ATTLIST>` declarations declare, as attributes of its
/// root.
pub(crate) fn with_namespaces(text: String) -> String {
    const START: &str = "<!ATTLIST";
    if !text.contains(START) {
        return text;
    }
    let Some((name_end, root)) = root(&text) else { return text };
    let mut declarations: Vec<(String, &str)> = Vec::new();
    for list in text[..name_end].split(START).skip(1) {
        for (element, name, value) in namespaces(list) {
            let is_on_root = element == root || name != "xmlns";
            if is_on_root && !declarations.iter().any(|(known, _)| *known == name) {
                declarations.push((name, value));
            }
        }
    }
    let tag_end = text[name_end..].find('>').map_or(text.len(), |length| name_end + length);
    let tag = &text[name_end..tag_end];
    declarations.retain(|(name, _)| {
        !tag.split_ascii_whitespace().any(|word| word.split('=').next() == Some(name.as_str()))
    });
    let added: String = declarations.iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect();
    [&text[..name_end], &added, &text[name_end..]].concat()
}

/// The end of the name of the root element, and the name.
fn root(text: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find('<')?;
        let rest = &text[at..];
        let length = if rest.starts_with("<!--") {
            rest.find("-->")?
        } else if rest.starts_with("<?") {
            rest.find("?>")?
        } else if rest.starts_with("<!") {
            end_of_declaration(rest)?
        } else {
            let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
            return Some((at + end, &rest[1..end]));
        };
        at += length;
    }
}

/// The end of a document type declaration: the first `>` outside of quotes, comments and brackets.
fn end_of_declaration(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    loop {
        at += text.get(at..)?.find(['"', '\'', '<', '>', '-'])?;
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            quote @ (b'"' | b'\'') => at += rest[1..].find(char::from(quote))? + 2,
            b'<' if rest.starts_with("<!--") => at += rest.find("-->")? + 3,
            b'<' => (depth, at) = (depth + 1, at + 1),
            b'>' if depth <= 1 => return Some(at),
            b'>' => (depth, at) = (depth - 1, at + 1),
            _ => at += 1,
        }
    }
}

/// The namespaces in an `ATTLIST` declaration after its first word: the element, the attribute and
/// its default value.
fn namespaces(list: &str) -> Vec<(&str, String, &str)> {
    let mut found = Vec::new();
    let mut rest = list.trim_start();
    let element = rest.split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
    let end = end_of_list(rest).unwrap_or(rest.len());
    rest = &rest[..end];
    // Only the text before a value matters, which ends with the name, the type, and `#FIXED`.
    while let Some(open) = rest.find(['"', '\'']) {
        let (before, quoted) = rest.split_at(open);
        let quote = quoted.chars().next().unwrap_or_default();
        let Some(length) = quoted[1..].find(quote) else { break };
        let (value, after) = (&quoted[1..=length], &quoted[length + 2..]);
        let name = before.split_ascii_whitespace().rfind(|word| word.starts_with("xmlns"));
        let is_last = name.is_some_and(|name| {
            let after_name = &before[before.rfind(name).unwrap_or_default() + name.len()..];
            after_name.split_ascii_whitespace().all(|word| matches!(word, "CDATA" | "#FIXED"))
        });
        if let Some(name) = name.filter(|_| is_last && !value.contains(['<', '&', '"'])) {
            found.push((element, name.to_owned(), value));
        }
        rest = after;
    }
    found
}

/// The end of a declaration: the first `>` outside of quotes.
fn end_of_list(text: &str) -> Option<usize> {
    let mut quote = None;
    text.find(|c| match quote {
        Some(open) => {
            quote = (c != open).then_some(open);
            false
        }
        None if matches!(c, '"' | '\'') => {
            quote = Some(c);
            false
        }
        None => c == '>',
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    #[test]
    fn roxmltree_still_ignores_default_values() {
        let text = "<!DOCTYPE a [<!ATTLIST b xmlns:k CDATA #FIXED 'u'>]><a><b k:c='1'/></a>";
        assert!(parse(text).is_err());
        assert!(parse(&with_namespaces(text.to_owned())).is_ok());
    }

    #[test]
    fn the_root_gets_the_namespaces() {
        let dtd = "<?xml version='1.0'?><!-- <a> --><!DOCTYPE a [<!-- > ' --><!ENTITY e '>'>
            <!ATTLIST a xmlns CDATA 'u' xmlns:k CDATA #FIXED \"v\" b (x|y) 'x' c CDATA #IMPLIED>
            <!ATTLIST b xmlns:l CDATA 'w' xmlns CDATA 'other' xmlns:m CDATA #REQUIRED d CDATA 'x'>]>";
        for (root, expected) in [
            ("<a/>", "<a xmlns=\"u\" xmlns:k=\"v\" xmlns:l=\"w\"/>"),
            ("<a xmlns='x' xmlns:l='y'/>", "<a xmlns:k=\"v\" xmlns='x' xmlns:l='y'/>"),
            ("<b/>", "<b xmlns:k=\"v\" xmlns:l=\"w\" xmlns=\"other\"/>"),
        ] {
            assert_eq!(with_namespaces(format!("{dtd}{root}")), format!("{dtd}{expected}"));
        }
        for other in
            ["<a>&lt;!ATTLIST</a>", "<!ATTLIST", "<!DOCTYPE a [<!ATTLIST b xmlns:", "<!--<!ATTLIST--"]
        {
            assert_eq!(with_namespaces(other.to_owned()), other);
        }
    }
}
