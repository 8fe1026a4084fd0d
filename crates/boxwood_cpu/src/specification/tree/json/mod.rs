//! From a JSON text to its tree: the specification of stage *json*.
//!
//! [`lex`](lexer::lex) divides the text into tokens and checks bytes, and [`parse`](parser::parse)
//! checks the order of the tokens and links them. Both go on after an error, so that each of them
//! is one pass whose result does not depend on the other. The error of a text is the one with the
//! smallest offset.

mod error;
mod lexer;
mod parser;

use alloc::vec::Vec;

pub use error::{JsonError, JsonReason};

/// The division of a text into roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum JsonRoots {
    /// The text is one value, as in RFC 8259.
    #[default]
    One,
    /// Each line is a value or blank, as in JSON Lines. A line break ends a value.
    Lines,
}

/// What a row of the tree is. The number of each kind is its number on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum JsonKind {
    /// `{`, the begin of an object.
    Object = 0,
    /// `[`, the begin of an array.
    Array = 1,
    /// `}`, the end of an object.
    ObjectEnd = 2,
    /// `]`, the end of an array.
    ArrayEnd = 3,
    /// A string that is the name of a member. The value of the member is the next row.
    Key = 4,
    /// A string that is a value.
    String = 5,
    /// A number.
    Number = 6,
    /// The literal `true`.
    True = 7,
    /// The literal `false`.
    False = 8,
    /// The literal `null`.
    Null = 9,
}

impl JsonKind {
    /// Every kind, in the order of the numbers.
    pub const ALL: [Self; 10] = [
        Self::Object,
        Self::Array,
        Self::ObjectEnd,
        Self::ArrayEnd,
        Self::Key,
        Self::String,
        Self::Number,
        Self::True,
        Self::False,
        Self::Null,
    ];

    /// Whether the row is the end of an object or array.
    pub fn is_end(self) -> bool {
        matches!(self, Self::ObjectEnd | Self::ArrayEnd)
    }
}

/// A row of the tree: a value, the key of a member, or the end of an object or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonRow {
    /// What it is.
    pub kind: JsonKind,
    /// The offset of its first byte in the text. The first byte of a string is its quotation mark.
    pub first: u32,
    /// The offset of its last byte. That of an object or array is its closing bracket.
    pub last: u32,
    /// The row of the object or array that contains it, or −1. An end has the parent of its begin.
    pub parent: i32,
    /// At an object or array, the row of its end. At an end, the row of the begin. −1 otherwise.
    pub partner: i32,
}

/// The tree of a text: its rows in the order of their first bytes.
///
/// # Errors
///
/// The first error of the text.
///
/// # Panics
///
/// Panics if the text has more bytes than a `u32` can count, or more rows than an `i32` can index.
pub fn json(text: &[u8], roots: JsonRoots) -> Result<Vec<JsonRow>, JsonError> {
    let lexed = lexer::lex(text, roots);
    let parsed = parser::parse(text, &lexed, roots);
    match lexed.error.into_iter().chain(parsed.error).min() {
        Some(error) => Err(error),
        // The text ends before the end of something.
        None => parsed.unclosed.map_or(Ok(parsed.rows), Err),
    }
}
