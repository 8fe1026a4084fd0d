//! Messages over the picture, and work that the user waits for.

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    /// Something is worth knowing. The next command hides it.
    Notice,
    /// Something failed. It stays for as long as its cause.
    Error,
}

/// A text over the picture.
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
