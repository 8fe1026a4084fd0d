//! Messages over the picture, and work that the user waits for.

use super::State;

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Severity {
    /// Something is worth knowing.
    Notice,
    /// Something failed.
    Error,
}

/// What a message is about, which decides how long it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// Something has happened.
    Event,
    /// The picture or the boxes of the drawing lack something.
    Warnings,
    /// The user has cancelled a load or a picture.
    Cancelled,
    /// The file cannot be loaded or drawn.
    File,
    /// Shaders that were read from files cannot be used.
    Shaders,
    /// The last version of another drawing is compared, because that drawing cannot be loaded.
    Comparison,
    /// Paths that the user wanted to open have no drawings.
    Opening,
    /// A command has failed, or a part of the window.
    Command,
}

impl Topic {
    pub(crate) fn severity(self) -> Severity {
        match self {
            Self::Event | Self::Warnings | Self::Cancelled => Severity::Notice,
            Self::File | Self::Shaders | Self::Comparison | Self::Opening | Self::Command => Severity::Error,
        }
    }

    /// Whether its messages disappear after the time that it takes to read them, and by the next
    /// command. The others stay until the user dismisses them or their cause is gone.
    pub(crate) fn is_brief(self) -> bool {
        matches!(self, Self::Event | Self::Warnings)
    }

    /// Whether its messages are about a failure in the past, and not about something that lasts.
    fn is_past_failure(self) -> bool {
        matches!(self, Self::Opening | Self::Command)
    }
}

/// A text over the picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) topic: Topic,
    pub(crate) text: String,
    /// The time of the window in seconds at which it was first shown.
    pub(crate) shown_at: Option<f64>,
}

/// Work that the user is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Busy {
    /// The file is being read, and its boxes computed.
    Loading,
    /// The picture is being drawn.
    Drawing,
    /// The picture was cancelled, but nothing stops the part that the GPU works on.
    Stopping,
    /// The drawing to compare with is being loaded.
    LoadingOther,
}

impl State {
    /// Shows a message instead of the one with its topic. Only events are shown together, unless
    /// they have the same text.
    pub(crate) fn put_message(&mut self, topic: Topic, text: String) {
        self.messages
            .retain(|message| message.topic != topic || topic == Topic::Event && message.text != text);
        self.messages.push(Message { topic, text, shown_at: None });
    }

    /// Hides the message about something that is over.
    pub(crate) fn end_message(&mut self, topic: Topic) {
        self.messages.retain(|message| message.topic != topic);
    }

    /// Shows a notice about something that has happened.
    pub(crate) fn notify(&mut self, text: String) {
        self.put_message(Topic::Event, text);
    }

    /// Shows the reason why a command has failed.
    pub(crate) fn fail_command(&mut self, text: String) {
        self.put_message(Topic::Command, text);
    }

    /// Whether there is an error about the file or the shaders.
    pub(crate) fn has_error(&self) -> bool {
        self.messages.iter().any(|message| matches!(message.topic, Topic::File | Topic::Shaders))
    }

    /// Hides the brief notices that have been seen.
    pub(crate) fn dismiss_notices(&mut self) {
        self.messages.retain(|message| !message.topic.is_brief() || message.shown_at.is_none());
    }

    /// Whether an error about a failure in the past is shown.
    pub(super) fn has_past_failure(&self) -> bool {
        self.messages.iter().any(|message| message.topic.is_past_failure())
    }

    /// Hides the errors about failures in the past.
    pub(super) fn dismiss_past_failures(&mut self) {
        self.messages.retain(|message| !message.topic.is_past_failure());
    }
}
