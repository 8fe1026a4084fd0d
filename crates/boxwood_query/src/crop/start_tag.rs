//! The start tag of a document's root, and edits of its attributes.
//!
//! It is found in the bytes of the document, so that every byte that is not edited stays. The
//! document is known to be well-formed XML.

use std::borrow::Cow;
use std::ops::Range;

/// The byte order marks of UTF-16, little-endian and big-endian.
const UTF_16_MARKS: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];

/// An attribute, as ranges of the text.
struct Attribute {
    name: Range<usize>,
    /// The value between its quotes.
    value: Range<usize>,
}

/// The start tag of the root.
pub(super) struct StartTag<'t> {
    /// The text in UTF-8, or in another encoding whose markup is in ASCII.
    text: Cow<'t, [u8]>,
    /// The byte order mark, if the document is in UTF-16.
    utf_16_mark: Option<[u8; 2]>,
    attributes: Vec<Attribute>,
    /// The end of the last attribute, or of the name.
    end: usize,
}

impl<'t> StartTag<'t> {
    /// Finds the start tag in a document. `None` if it is not XML.
    pub(super) fn find(document: &'t [u8]) -> Option<Self> {
        let utf_16_mark = UTF_16_MARKS.into_iter().find(|mark| document.starts_with(mark));
        let text = match utf_16_mark {
            Some(mark) => Cow::Owned(from_utf_16(&document[mark.len()..], mark)?.into_bytes()),
            None => Cow::Borrowed(document),
        };
        let start = Scanner { text: &text, at: 0 }.root()?;
        let mut scanner = Scanner { text: &text, at: start + 1 };
        scanner.skip_while(|byte| !is_space(byte) && !matches!(byte, b'/' | b'>'));
        let (mut end, mut attributes) = (scanner.at, Vec::new());
        while let Some(attribute) = scanner.attribute()? {
            end = scanner.at;
            attributes.push(attribute);
        }
        Some(Self { text, utf_16_mark, attributes, end })
    }

    /// The value of an attribute, as it is in the text. `None` if the root does not have it.
    pub(super) fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        Some(String::from_utf8_lossy(&self.text[self.attribute(name)?.value.clone()]))
    }

    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| &self.text[attribute.name.clone()] == name.as_bytes())
    }

    /// The document with these values of attributes. A new attribute comes after the last of them
    /// that is already there, or after all others. The values need no escapes.
    pub(super) fn with(&self, values: &[(&str, String)]) -> Vec<u8> {
        let known = |(name, _): &(&str, String)| self.attribute(name);
        let last = values.iter().filter_map(known).map(|attribute| attribute.value.end + 1).max();
        let place = last.unwrap_or(self.end);
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let mut added = String::new();
        for (name, value) in values {
            match self.attribute(name) {
                Some(attribute) => edits.push((attribute.value.clone(), value.clone())),
                None => added += &format!(" {name}=\"{value}\""),
            }
        }
        edits.push((place..place, added));
        edits.sort_by_key(|(range, _)| range.start);
        let (mut edited, mut from) = (Vec::with_capacity(self.text.len()), 0);
        for (range, value) in edits {
            edited.extend_from_slice(&self.text[from..range.start]);
            edited.extend_from_slice(value.as_bytes());
            from = range.end;
        }
        edited.extend_from_slice(&self.text[from..]);
        match self.utf_16_mark {
            Some(mark) => to_utf_16(&String::from_utf8_lossy(&edited), mark),
            None => edited,
        }
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// The code units of a text in the byte order that a mark stands for.
fn from_utf_16(bytes: &[u8], mark: [u8; 2]) -> Option<String> {
    let unit = |pair: &[u8]| {
        let pair = [pair[0], pair[1]];
        if mark == UTF_16_MARKS[0] { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    };
    String::from_utf16(&bytes.chunks_exact(2).map(unit).collect::<Vec<_>>()).ok()
}

/// A text in UTF-16 with its byte order mark.
fn to_utf_16(text: &str, mark: [u8; 2]) -> Vec<u8> {
    let bytes = |unit: u16| if mark == UTF_16_MARKS[0] { unit.to_le_bytes() } else { unit.to_be_bytes() };
    mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
}

/// A position in a text that moves forward over markup.
struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

impl Scanner<'_> {
    /// The start of the root: the first tag after declarations, comments and the document type.
    fn root(&mut self) -> Option<usize> {
        loop {
            self.skip_while(|byte| byte != b'<');
            let rest = self.text.get(self.at..)?;
            match rest {
                [b'<', b'?', ..] => self.skip_to("?>")?,
                [b'<', b'!', b'-', b'-', ..] => self.skip_to("-->")?,
                [b'<', b'!', ..] => self.skip_document_type()?,
                [b'<', ..] => return Some(self.at),
                _ => return None,
            }
        }
    }

    /// Moves behind a document type declaration. The markup inside of its brackets may have quoted
    /// brackets and tags, as the values of entities.
    fn skip_document_type(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        self.at += 1;
        loop {
            match self.text.get(self.at..)? {
                [b'<', b'!', b'-', b'-', ..] => self.skip_to("-->")?,
                [b'<', b'?', ..] => self.skip_to("?>")?,
                [quote @ (b'"' | b'\''), ..] => {
                    let quote = *quote;
                    self.at += 1;
                    self.skip_while(|byte| byte != quote);
                    self.at += 1;
                }
                [b'[', ..] => {
                    depth += 1;
                    self.at += 1;
                }
                [b']', ..] => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                [b'>', ..] if depth == 0 => {
                    self.at += 1;
                    return Some(());
                }
                [_, ..] => self.at += 1,
                [] => return None,
            }
        }
    }

    /// The next attribute of a start tag, or `Some(None)` at the end of the tag.
    #[expect(clippy::option_option, reason = "the outer option is an error")]
    fn attribute(&mut self) -> Option<Option<Attribute>> {
        self.skip_while(is_space);
        if matches!(self.text.get(self.at)?, b'/' | b'>') {
            return Some(None);
        }
        let name = self.skip_while(|byte| !is_space(byte) && byte != b'=');
        self.skip_while(|byte| is_space(byte) || byte == b'=');
        let quote = *self.text.get(self.at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        self.at += 1;
        let value = self.skip_while(|byte| byte != quote);
        self.at += 1;
        Some(Some(Attribute { name, value }))
    }

    /// Moves over bytes, and returns their range.
    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at.min(self.text.len());
        let rest = &self.text[start..];
        self.at = start + rest.iter().position(|byte| !is_skipped(*byte)).unwrap_or(rest.len());
        start..self.at
    }

    /// Moves behind the next occurrence of some bytes.
    fn skip_to(&mut self, end: &str) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let position = rest.windows(end.len()).position(|window| window == end.as_bytes())?;
        self.at += position + end.len();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document with a new `viewBox` and a new width.
    fn edited(document: &[u8]) -> Vec<u8> {
        let tag = StartTag::find(document).expect("it is XML");
        tag.with(&[("width", "7".to_owned()), ("viewBox", "1 2 3 4".to_owned())])
    }

    #[test]
    fn only_the_attributes_are_edited() {
        for (before, after) in [
            ("<svg/>", "<svg width=\"7\" viewBox=\"1 2 3 4\"/>"),
            ("<svg >é</svg>", "<svg width=\"7\" viewBox=\"1 2 3 4\" >é</svg>"),
            (
                "<s:svg\n viewBox = '0 0 9 9'\tid='a>b'>",
                "<s:svg\n viewBox = '1 2 3 4' width=\"7\"\tid='a>b'>",
            ),
            ("<svg width='' x='1'/>", "<svg width='7' viewBox=\"1 2 3 4\" x='1'/>"),
            ("<svg a:width='5' width=\"&w;\"/>", "<svg a:width='5' width=\"7\" viewBox=\"1 2 3 4\"/>"),
            ("<svg height='viewBox=\"'/>", "<svg height='viewBox=\"' width=\"7\" viewBox=\"1 2 3 4\"/>"),
        ] {
            assert_eq!(String::from_utf8(edited(before.as_bytes())).as_deref(), Ok(after));
        }
    }

    #[test]
    fn the_root_is_behind_the_prolog() {
        for prolog in [
            "\u{feff}<?xml version='1.0'?><!-- <a> -->\n<?x <b>?>",
            "<!DOCTYPE svg [<!ENTITY e '<c>]>'> <!-- ' ]> --> <?x ]>?> <!ELEMENT d ANY>]>\n",
            "<!DOCTYPE svg PUBLIC \"[\" '>'>",
        ] {
            let document = format!("{prolog}<svg/>");
            let expected = format!("{prolog}<svg width=\"7\" viewBox=\"1 2 3 4\"/>");
            assert_eq!(String::from_utf8(edited(document.as_bytes())).ok(), Some(expected));
        }
        assert!(StartTag::find(b"<!-- <svg/>").is_none() && StartTag::find(b"<svg a=").is_none());
    }

    #[test]
    fn other_encodings_stay() {
        assert_eq!(edited(b"<svg>\xe9</svg>"), b"<svg width=\"7\" viewBox=\"1 2 3 4\">\xe9</svg>");
        for mark in UTF_16_MARKS {
            let expected = to_utf_16("<svg width=\"7\" viewBox=\"1 2 3 4\">é𝄞</svg>", mark);
            assert_eq!(edited(&to_utf_16("<svg>é𝄞</svg>", mark)), expected);
        }
    }
}
