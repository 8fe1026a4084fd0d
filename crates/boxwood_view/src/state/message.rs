//! Messages over the picture, and work that the user waits for.

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Severity {
    /// Something is worth knowing.
    Notice,
    /// Something failed.
    Error,
}

/// A text over the picture, which the next command hides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) severity: Severity,
    pub(crate) text: String,
}

/// Work that the user is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Busy {
    /// The file is being read, and its boxes computed.
    Loading,
    /// The picture is being drawn.
    Drawing,
}
