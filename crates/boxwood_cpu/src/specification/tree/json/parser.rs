//! The order of tokens, and the tree.

use alloc::vec::Vec;

use super::lexer::{Lexed, Token, TokenClass, offset_of};
use super::{JsonError, JsonKind, JsonReason, JsonRoots, JsonRow};
use crate::specification::tree::link::index_or_none;

/// The tree of a text.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) rows: Vec<JsonRow>,
    /// The first token that the grammar does not allow.
    pub(super) error: Option<JsonError>,
    /// Why the text may not end where it does.
    pub(super) unclosed: Option<JsonError>,
}

/// What is before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// Nothing: the token is the first one of a root.
    Nothing,
    OpenObject,
    OpenArray,
    Comma,
    Colon,
    /// A string that does not follow a colon: a key, if it is in an object.
    String,
    /// A string that follows a colon.
    StringAfterColon,
    /// The end of another value.
    Value,
}

/// What contains a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Root,
    Object,
    Array,
}

/// Links the tokens, and finds the first one that the grammar does not allow.
pub(super) fn parse(text: &[u8], lexed: &Lexed, roots: JsonRoots) -> Parsed {
    let mut parsed = Parsed::default();
    // The rows of the objects and arrays that are open.
    let mut open: Vec<usize> = Vec::new();
    let mut before = Before::Nothing;
    for token in &lexed.tokens {
        let container = open.last().map_or(Container::Root, |row| match parsed.rows[*row].kind {
            JsonKind::Object => Container::Object,
            _ => Container::Array,
        });
        // After an error, the tokens are linked as if there were none: the first error is reported.
        if let Some(reason) = refusal(token.class, before, container) {
            let error = JsonError { offset: offset_of(token.first), reason };
            parsed.error = parsed.error.or(Some(error));
        }
        if let Some(kind) = kind_of(text, token, before, container) {
            parsed.push(kind, token, &mut open);
        }
        before = after(token.class, before);
    }
    parsed.unclosed = unclosed(text, lexed, &parsed.rows, open.last().copied(), roots);
    parsed
}

impl Parsed {
    /// Adds a row. `open` are the rows that are open before it, and then those that are open after
    /// it.
    fn push(&mut self, kind: JsonKind, token: &Token, open: &mut Vec<usize>) {
        let index = self.rows.len();
        let (first, last) = (offset_of(token.first), offset_of(token.last));
        let mut row = JsonRow { kind, first, last, parent: index_or_none(open.last().copied()), partner: -1 };
        if matches!(kind, JsonKind::Object | JsonKind::Array) {
            open.push(index);
        } else if kind.is_end()
            && let Some(begin) = open.pop()
        {
            row.parent = self.rows[begin].parent;
            row.partner = index_or_none(Some(begin));
            self.rows[begin].partner = index_or_none(Some(index));
            self.rows[begin].last = last;
        }
        self.rows.push(row);
    }
}

/// What a row with this token is, or `None` if the token has no row.
fn kind_of(text: &[u8], token: &Token, before: Before, container: Container) -> Option<JsonKind> {
    match token.class {
        TokenClass::Open { is_object } => Some(if is_object { JsonKind::Object } else { JsonKind::Array }),
        TokenClass::Close { is_object } => {
            Some(if is_object { JsonKind::ObjectEnd } else { JsonKind::ArrayEnd })
        }
        TokenClass::String if container == Container::Object && before != Before::Colon => {
            Some(JsonKind::Key)
        }
        TokenClass::String => Some(JsonKind::String),
        TokenClass::Scalar => Some(match text[token.first] {
            b't' => JsonKind::True,
            b'f' => JsonKind::False,
            b'n' => JsonKind::Null,
            _ => JsonKind::Number,
        }),
        TokenClass::Comma | TokenClass::Colon | TokenClass::LineBreak => None,
    }
}

/// What is before the next token.
fn after(class: TokenClass, before: Before) -> Before {
    match class {
        TokenClass::Open { is_object: true } => Before::OpenObject,
        TokenClass::Open { is_object: false } => Before::OpenArray,
        TokenClass::Comma => Before::Comma,
        TokenClass::Colon => Before::Colon,
        TokenClass::String if before == Before::Colon => Before::StringAfterColon,
        TokenClass::String => Before::String,
        TokenClass::Close { .. } | TokenClass::Scalar => Before::Value,
        TokenClass::LineBreak => Before::Nothing,
    }
}

/// Why the grammar does not allow a token, or `None` if it does.
fn refusal(class: TokenClass, before: Before, container: Container) -> Option<JsonReason> {
    match (container, class) {
        (Container::Root, TokenClass::LineBreak) => None,
        (_, TokenClass::LineBreak) => Some(JsonReason::LineBreak),
        (Container::Root, TokenClass::Close { .. }) => Some(JsonReason::Unopened),
        (Container::Root, TokenClass::Comma | TokenClass::Colon) => Some(JsonReason::OutsideRoot),
        (Container::Root, _) => (before != Before::Nothing).then_some(JsonReason::OutsideRoot),
        (Container::Object, _) => refusal_in_object(class, before),
        (Container::Array, _) => refusal_in_array(class, before),
    }
}

fn refusal_in_array(class: TokenClass, before: Before) -> Option<JsonReason> {
    let is_after_value = matches!(before, Before::Value | Before::String | Before::StringAfterColon);
    match class {
        TokenClass::Close { is_object: true } => Some(JsonReason::Mismatched),
        TokenClass::Colon => Some(JsonReason::ExtraColon),
        TokenClass::Comma => (!is_after_value).then_some(JsonReason::ExtraComma),
        TokenClass::Close { .. } => {
            (!is_after_value && before != Before::OpenArray).then_some(JsonReason::ExtraComma)
        }
        _ => is_after_value.then_some(JsonReason::MissingComma),
    }
}

fn refusal_in_object(class: TokenClass, before: Before) -> Option<JsonReason> {
    let is_end = matches!(class, TokenClass::Comma | TokenClass::Close { .. });
    match (before, class) {
        (_, TokenClass::Close { is_object: false }) => Some(JsonReason::Mismatched),
        // After a key.
        (Before::String, _) => (class != TokenClass::Colon).then_some(JsonReason::MissingColon),
        (_, TokenClass::Colon) => Some(JsonReason::ExtraColon),
        (Before::Colon, _) => is_end.then_some(JsonReason::MissingValue),
        (Before::Value | Before::StringAfterColon, _) => (!is_end).then_some(JsonReason::MissingComma),
        (Before::OpenObject, TokenClass::Close { .. }) => None,
        _ if is_end => Some(JsonReason::ExtraComma),
        _ => (class != TokenClass::String).then_some(JsonReason::MissingKey),
    }
}

/// Why the text may not end where it does.
fn unclosed(
    text: &[u8],
    lexed: &Lexed,
    rows: &[JsonRow],
    open: Option<usize>,
    roots: JsonRoots,
) -> Option<JsonError> {
    if lexed.is_in_string {
        let string = rows.last().expect("a string has a row");
        return Some(JsonError { offset: string.first, reason: JsonReason::UnclosedString });
    }
    if let Some(row) = open {
        return Some(JsonError { offset: rows[row].first, reason: JsonReason::UnclosedBracket });
    }
    let is_missing = rows.is_empty() && roots == JsonRoots::One;
    is_missing.then(|| JsonError { offset: offset_of(text.len()), reason: JsonReason::NoValue })
}
