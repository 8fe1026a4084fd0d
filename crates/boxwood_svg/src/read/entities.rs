//! The size of a document once its entities are expanded.

use std::collections::HashMap;

use crate::error::{LimitError, Quantity};
use crate::guard::limits::{MAX_BYTES, MAX_ENTITY_DEPTH};

/// Checks that a document is not too large once its entities are expanded.
///
/// An XML parser expands them without a limit: an entity of 100 kB that is used 20,000 times
/// becomes 2 GB.
///
/// # Errors
///
/// If there are more than [`MAX_BYTES`].
pub(crate) fn check(text: &str) -> Result<(), LimitError> {
    let Some(first) = text.find("<!ENTITY") else { return Ok(()) };
    let mut values = HashMap::new();
    let mut rest = &text[first..];
    while let Some((name, value, after)) = declaration(rest) {
        // The first of several declarations is in effect.
        values.entry(name).or_insert(value);
        rest = after;
    }
    // An entity may be declared before those inside of it. Each round expands one more level.
    let mut lengths = HashMap::new();
    for _ in 0..MAX_ENTITY_DEPTH {
        lengths = values.iter().map(|(name, value)| (*name, expanded(value, &lengths))).collect();
    }
    Quantity::ExpandedBytes.check(expanded(text, &lengths) as f64, MAX_BYTES as f64)
}

/// The name and value of the next declaration, and the text after it.
fn declaration(text: &str) -> Option<(&str, &str, &str)> {
    let declared = text.split_once("<!ENTITY")?.1.trim_start();
    let (name, rest) = declared.split_once(|c: char| c.is_ascii_whitespace())?;
    let start = rest.find(['"', '\''])?;
    let quote = rest[start..].chars().next()?;
    let (value, after) = rest[start + 1..].split_once(quote)?;
    Some((name, value, after))
}

/// The length of a text once the entities in it, of these lengths, are expanded.
fn expanded(text: &str, lengths: &HashMap<&str, u64>) -> u64 {
    let names = text.split('&').skip(1).filter_map(|part| part.split_once(';').map(|(name, _)| name));
    // A reference is the name between an ampersand and a semicolon.
    let lengths = names.filter_map(|name| Some((name.len() as u64 + 2, lengths.get(name)?)));
    lengths.fold(text.len() as u64, |sum, (reference, length)| (sum - reference).saturating_add(*length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(n_uses: usize) -> String {
        let entities = format!(r#"<!ENTITY a "{}"> <!ENTITY b '&a;&a;'>"#, "x".repeat(1 << 19));
        format!("<!DOCTYPE svg [{entities}]><svg>{}</svg>", "&b;".repeat(n_uses))
    }

    #[test]
    fn documents_may_expand_up_to_the_limit() {
        // Each use is a little more than 1 MiB.
        assert!(check(&document(500)).is_ok());
        let error = check(&document(512)).expect_err("it is beyond 512 MiB");
        assert_eq!((error.quantity, error.limit), (Quantity::ExpandedBytes, MAX_BYTES as f64));
        assert!(check("<svg>&b;</svg>").is_ok());
    }

    #[test]
    fn nested_entities_count_in_any_order() {
        let tenfold = |i: usize| format!(r#"<!ENTITY e{i} "{}">"#, format!("&e{};", i + 1).repeat(10));
        let forward: Vec<String> = (0..9).map(tenfold).collect();
        let backward: Vec<String> = forward.iter().rev().cloned().collect();
        for entities in [forward.concat(), backward.concat()] {
            let text = format!(r#"<!DOCTYPE svg [{entities}<!ENTITY e9 "x">]><svg>&e0;</svg>"#);
            assert!(check(&text).is_err(), "it is 10^9 bytes");
            let fewer = text.replace("&e1;", "");
            assert!(check(&fewer).is_ok(), "it is 10^8 bytes and the declarations");
        }
    }
}
