//! Why a text is not JSON.

/// The error of a text. Errors are ordered by their offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("byte {offset}: {reason}")]
pub struct JsonError {
    /// The offset of the wrong byte, or of the first byte of the wrong token. A text without a
    /// value has its length as the offset.
    pub offset: u32,
    /// What is wrong there.
    pub reason: JsonReason,
}

/// What is wrong with a text. The number of each reason is its number on the GPU. Of two reasons at
/// the same byte, the smaller one is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[repr(u32)]
pub enum JsonReason {
    /// No token begins with this byte.
    #[error("no value begins with this byte")]
    UnexpectedByte = 1,
    /// A word that begins here is not `true`, `false`, or `null`.
    #[error("this word is not `true`, `false`, or `null`")]
    Literal = 2,
    /// A number cannot continue with this byte, cannot end with it, or has a leading zero.
    #[error("this number is malformed: it has a leading zero, or cannot contain or end with this byte")]
    Number = 3,
    /// A control character in a string.
    #[error("a control character in a string must be escaped")]
    ControlCharacter = 4,
    /// An escape sequence that JSON does not have.
    #[error(
        "this is not an escape sequence: a backslash must be followed by one of \" \\ / b f n r t, or by u and \
         four hexadecimal digits"
    )]
    Escape = 5,
    /// Bytes in a string that are not UTF-8.
    #[error("the bytes that begin here are not UTF-8")]
    Utf8 = 6,
    /// A closing bracket without an opening one.
    #[error("this bracket closes nothing")]
    Unopened = 7,
    /// A closing bracket of another kind than the innermost open one.
    #[error("this bracket does not match the innermost open one")]
    Mismatched = 8,
    /// Two values without a comma between them.
    #[error("a comma is missing before this value")]
    MissingComma = 9,
    /// A comma without a value before it or after it.
    #[error("a value is missing before this comma, or after the comma before this bracket")]
    ExtraComma = 10,
    /// A key without a colon after it.
    #[error("a colon is missing after the key before this")]
    MissingColon = 11,
    /// A colon that does not follow a key.
    #[error("this colon does not follow a key")]
    ExtraColon = 12,
    /// A member of an object that does not begin with a string.
    #[error("a member of an object must begin with a string")]
    MissingKey = 13,
    /// A key without a value.
    #[error("the value of the member before this is missing")]
    MissingValue = 14,
    /// Text before or after the root.
    #[error("this is outside of the root value")]
    OutsideRoot = 15,
    /// In JSON Lines, a line that ends inside of a value.
    #[error("this line ends inside of an array or object")]
    LineBreak = 16,
    /// A string without an end.
    #[error("the string that begins here has no end")]
    UnclosedString = 17,
    /// An object or array without an end. The offset is that of the innermost one.
    #[error("the bracket that opens here is not closed")]
    UnclosedBracket = 18,
    /// A text without a value.
    #[error("the text has no value")]
    NoValue = 19,
}

impl JsonReason {
    /// Every reason, in the order of the numbers.
    pub const ALL: [Self; 19] = [
        Self::UnexpectedByte,
        Self::Literal,
        Self::Number,
        Self::ControlCharacter,
        Self::Escape,
        Self::Utf8,
        Self::Unopened,
        Self::Mismatched,
        Self::MissingComma,
        Self::ExtraComma,
        Self::MissingColon,
        Self::ExtraColon,
        Self::MissingKey,
        Self::MissingValue,
        Self::OutsideRoot,
        Self::LineBreak,
        Self::UnclosedString,
        Self::UnclosedBracket,
        Self::NoValue,
    ];

    /// The reason with this number.
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| *reason as u32 == number)
    }
}
