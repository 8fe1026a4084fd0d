//! The tokens of a text, and the errors inside of them.

use alloc::vec::Vec;

use super::{JsonError, JsonReason, JsonRoots};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) class: TokenClass,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// What a token is for the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenClass {
    /// `{`, or `[` if the flag is false.
    Open {
        is_object: bool,
    },
    /// `}`, or `]` if the flag is false.
    Close {
        is_object: bool,
    },
    Comma,
    Colon,
    String,
    /// A number or a literal: the longest run of bytes that belong to nothing else.
    Scalar,
    /// A line break that separates roots.
    LineBreak,
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    /// Whether the last token is a string without an end.
    pub(super) is_in_string: bool,
    /// The first error inside of a token.
    pub(super) error: Option<JsonError>,
}

/// Divides a text into tokens.
///
/// A backslash hides the next byte, also outside of strings, where it is an error.
pub(super) fn lex(text: &[u8], roots: JsonRoots) -> Lexed {
    let mut lexed = Lexed::default();
    let mut at = 0;
    // Whether the byte before is a backslash that is not itself hidden.
    let mut is_hidden = false;
    while at < text.len() {
        let first = at;
        let class = class_of(text[at], roots);
        match class {
            Some(TokenClass::String) if is_hidden => {}
            Some(TokenClass::String) => {
                // Without an end, the string extends to the end of the text, which is an error of
                // its own.
                at = end_of_string(text, at + 1);
                lexed.is_in_string = at == text.len();
                lexed.check(string_error(text, first + 1, at));
            }
            Some(TokenClass::Scalar) => {
                while at + 1 < text.len() && class_of(text[at + 1], roots) == Some(TokenClass::Scalar) {
                    at += 1;
                }
                // The whole run is one token, so that one word or number has one error.
                lexed.check(scalar_error(&text[first..=at]).map(|(offset, reason)| (first + offset, reason)));
            }
            _ => {}
        }
        // Outside of strings, a backslash is an error. The quotation mark that it hides is not a
        // token.
        let is_skipped = is_hidden && class == Some(TokenClass::String);
        if let Some(class) = class.filter(|_| !is_skipped) {
            lexed.tokens.push(Token { class, first, last: at.min(text.len() - 1) });
        }
        // Inside of a string, the last byte is its quotation mark.
        is_hidden = class == Some(TokenClass::Scalar) && is_backslash_run_odd(&text[..=at]);
        at += 1;
    }
    lexed
}

impl Lexed {
    /// Keeps an error if it is the first.
    fn check(&mut self, error: Option<(usize, JsonReason)>) {
        if let Some((offset, reason)) = error {
            let own = JsonError { offset: offset_of(offset), reason };
            self.error = Some(self.error.map_or(own, |other| other.min(own)));
        }
    }
}

/// An offset as a `u32`.
pub(super) fn offset_of(offset: usize) -> u32 {
    u32::try_from(offset).expect("the text has at most u32::MAX bytes")
}

/// The class of the token that begins with a byte, or `None` for white space.
fn class_of(byte: u8, roots: JsonRoots) -> Option<TokenClass> {
    match byte {
        b'\n' if roots == JsonRoots::Lines => Some(TokenClass::LineBreak),
        b' ' | b'\t' | b'\n' | b'\r' => None,
        b'{' | b'[' => Some(TokenClass::Open { is_object: byte == b'{' }),
        b'}' | b']' => Some(TokenClass::Close { is_object: byte == b'}' }),
        b',' => Some(TokenClass::Comma),
        b':' => Some(TokenClass::Colon),
        b'"' => Some(TokenClass::String),
        _ => Some(TokenClass::Scalar),
    }
}

/// Whether bytes end with an odd number of backslashes, the last of which hides the next byte.
fn is_backslash_run_odd(bytes: &[u8]) -> bool {
    bytes.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// The quotation mark that ends a string whose contents begin at `at`, or the end of the text.
fn end_of_string(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

/// The first error in the contents of a string, which are the bytes `begin..end`.
fn string_error(text: &[u8], begin: usize, end: usize) -> Option<(usize, JsonReason)> {
    let mut is_escaped = false;
    (begin..end).find_map(|at| {
        let byte = text[at];
        let is_escape = byte == b'\\' && !is_escaped;
        is_escaped = is_escape;
        // The checks of escapes and characters look at bytes after the string too: its quotation
        // mark continues neither.
        let reason = match byte {
            _ if is_escape => (!is_escape_sequence(&text[at..])).then_some(JsonReason::Escape),
            0..0x20 => Some(JsonReason::ControlCharacter),
            0x20..0x80 => None,
            0x80..0xc0 => (!continues(&text[..at])).then_some(JsonReason::Utf8),
            _ => (!is_character(&text[at..])).then_some(JsonReason::Utf8),
        };
        reason.map(|reason| (at, reason))
    })
}

/// Whether bytes begin with an escape sequence of JSON.
fn is_escape_sequence(bytes: &[u8]) -> bool {
    match bytes.get(1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
        Some(b'u') => bytes.get(2..6).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        _ => false,
    }
}

/// Whether a continuation byte can follow bytes: one of the last three begins a sequence that is
/// long enough.
fn continues(before: &[u8]) -> bool {
    let length = |byte: u8| match byte {
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
        _ => 1,
    };
    (1..=3).any(|distance| before.len() >= distance && length(before[before.len() - distance]) > distance)
}

/// Whether bytes begin with a character of several bytes.
fn is_character(bytes: &[u8]) -> bool {
    (2..=4).any(|length| bytes.get(..length).is_some_and(|bytes| core::str::from_utf8(bytes).is_ok()))
}

/// The first error of a number or a literal.
fn scalar_error(run: &[u8]) -> Option<(usize, JsonReason)> {
    match run[0] {
        b't' | b'f' | b'n' => {
            (![&b"true"[..], b"false", b"null"].contains(&run)).then_some((0, JsonReason::Literal))
        }
        b'-' | b'0'..=b'9' => number_error(run).map(|offset| (offset, JsonReason::Number)),
        _ => Some((0, JsonReason::UnexpectedByte)),
    }
}

/// The offset of the first error in a number.
fn number_error(run: &[u8]) -> Option<usize> {
    // A leading zero is an error of the number as a whole, so it is at the first byte.
    let digits = run.strip_prefix(b"-").unwrap_or(run);
    if let [b'0', b'0'..=b'9', ..] = digits {
        return Some(0);
    }
    let (mut has_point, mut has_exponent) = (false, false);
    for (at, pair) in (1..).zip(run.windows(2)) {
        let is_after_digit = pair[0].is_ascii_digit();
        let is_allowed = match pair[1] {
            b'0'..=b'9' => true,
            b'+' | b'-' => matches!(pair[0], b'e' | b'E'),
            b'.' => is_after_digit && !has_point && !has_exponent,
            b'e' | b'E' => is_after_digit && !has_exponent,
            _ => false,
        };
        if !is_allowed {
            return Some(at);
        }
        has_point |= pair[1] == b'.';
        has_exponent |= matches!(pair[1], b'e' | b'E');
    }
    // Each byte can follow the one before it, but a sign, a point, or an exponent cannot be the
    // last.
    let last = run.len() - 1;
    (!run[last].is_ascii_digit()).then_some(last)
}
