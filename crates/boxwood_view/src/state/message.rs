//! Messages over the picture, and work that the user waits for.

use super::State;

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Severity {
    /// Something is worth knowing. It goes after the time that it takes to read it.
    Notice,
    /// Something failed. It stays until the user dismisses it.
    Error,
}

/// A text over the picture, which the next command hides.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) severity: Severity,
    pub(crate) text: String,
    /// The time of the window in seconds at which it was first shown.
    pub(crate) shown_at: Option<f64>,
}

impl Message {
    pub(crate) fn new(severity: Severity, text: String) -> Self {
        Self { severity, text, shown_at: None }
    }
}

/// Work that the user is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Busy {
    /// The file is being read, and its boxes computed.
    Loading,
    /// The picture is being drawn.
    Drawing,
}

impl State {
    /// Shows an error for as long as its cause lasts, or until the user dismisses it. A document that
    /// is shown stays.
    pub(crate) fn fail(&mut self, text: String) {
        self.message = None;
        self.error = Some(text);
    }

    /// Shows the reason why the document cannot be drawn. It leaves the view, so that no picture of
    /// it is asked for.
    pub(crate) fn fail_drawing(&mut self, text: String) {
        self.fail(text);
        self.view.clear();
    }

    /// Hides an error whose cause is gone, unless another one has replaced it.
    pub(crate) fn end_error(&mut self, text: &str) {
        self.error.take_if(|error| error == text);
    }

    /// Shows a notice until the next command, or for the time that it takes to read it.
    pub(crate) fn notify(&mut self, text: String) {
        self.message = Some(Message::new(Severity::Notice, text));
    }

    /// Shows why a command has failed until the next command.
    pub(crate) fn fail_command(&mut self, text: String) {
        self.message = Some(Message::new(Severity::Error, text));
    }

    /// Hides the message about the last commands.
    pub(crate) fn dismiss_message(&mut self) {
        self.message = None;
    }
}
