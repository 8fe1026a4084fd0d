//! How much text the entities of a document stand for.

use std::collections::HashMap;

use crate::Error;
use crate::read::MAX_BYTES;

/// Checks that a document is not too large once its entities are replaced, which an XML parser does without a limit: one of 100 kB that
/// is used 20,000 times is 2 GB.
///
/// # Errors
///
/// More than [`MAX_BYTES`].
pub(crate) fn check(text: &str) -> Result<(), Error> {
    let Some(first) = text.find("<!ENTITY") else { return Ok(()) };
    let mut lengths = HashMap::new();
    // Each is declared before it is used.
    let mut rest = &text[first..];
    while let Some((name, value, after)) = declaration(rest) {
        let length = expanded(value, &lengths);
        lengths.entry(name).or_insert(length);
        rest = after;
    }
    if expanded(text, &lengths) > MAX_BYTES {
        Err(Error::EntitiesTooLarge { limit: MAX_BYTES })
    } else {
        Ok(())
    }
}

/// The next declaration: its name, its value, and the text after it.
fn declaration(text: &str) -> Option<(&str, &str, &str)> {
    let declared = text.split_once("<!ENTITY")?.1.trim_start();
    let (name, rest) = declared.split_once(|c: char| c.is_ascii_whitespace())?;
    let start = rest.find(['"', '\''])?;
    let quote = rest[start..].chars().next()?;
    let (value, after) = rest[start + 1..].split_once(quote)?;
    Some((name, value, after))
}

/// The length of a text with the entities of these lengths in it replaced.
fn expanded(text: &str, lengths: &HashMap<&str, u64>) -> u64 {
    let names = text.split('&').skip(1).filter_map(|part| part.split_once(';').map(|(name, _)| name));
    let lengths = names.filter_map(|name| lengths.get(name));
    lengths.fold(text.len() as u64, |sum, length| sum.saturating_add(*length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(n_uses: usize) -> String {
        let entities = format!(r#"<!ENTITY a "{}"> <!ENTITY b '&a;&a;'>"#, "x".repeat(1 << 19));
        format!("<!DOCTYPE svg [{entities}]><svg>{}</svg>", "&b;".repeat(n_uses))
    }

    #[test]
    fn text_may_be_as_long_as_the_limit_and_no_longer() {
        // Each use is a little more than 1 MiB.
        assert!(check(&document(500)).is_ok());
        let error = check(&document(512)).expect_err("it is beyond 512 MiB");
        assert_eq!(
            error.to_string(),
            "the entities of the drawing stand for more than 536870912 bytes, the limit"
        );
        assert!(check("<svg>&b;</svg>").is_ok());
    }

    #[test]
    fn entities_in_entities_are_counted() {
        let tenfold = (1..40).map(|i| format!(r#"<!ENTITY e{i} "{}">"#, format!("&e{};", i - 1).repeat(10)));
        let text =
            format!(r#"<!DOCTYPE svg [<!ENTITY e0 "x">{}]><svg>&e39;</svg>"#, tenfold.collect::<String>());
        assert!(check(&text).is_err());
    }
}
