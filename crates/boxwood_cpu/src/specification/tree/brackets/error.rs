//! Why the brackets of a text are not balanced.

/// The error of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {reason}")]
pub struct BracketError {
    /// The offset of the byte that is wrong. If the end of the text is wrong, the length of the
    /// text.
    pub offset: u32,
    /// What is wrong there.
    pub reason: BracketReason,
}

/// What is wrong with a text. The number of each reason is its number on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[repr(u32)]
pub enum BracketReason {
    /// The syntax does not allow a byte.
    #[error("this byte is not allowed here")]
    InvalidByte = 1,
    /// A closing bracket without an opening one.
    #[error("this bracket closes nothing")]
    Unopened = 2,
    /// A closing bracket of another kind than the innermost open one.
    #[error("this bracket does not match the innermost open one")]
    Mismatched = 3,
    /// The text ends in a state in which it must not end, such as in a string.
    #[error("the text ends inside of something, such as a string or a comment")]
    Unfinished = 4,
    /// A bracket without an end. The offset is that of the innermost one.
    #[error("the bracket that opens here is not closed")]
    Unclosed = 5,
}

impl BracketReason {
    /// Every reason, in the order of the numbers.
    pub const ALL: [Self; 5] =
        [Self::InvalidByte, Self::Unopened, Self::Mismatched, Self::Unfinished, Self::Unclosed];

    /// The reason with this number.
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| *reason as u32 == number)
    }
}
