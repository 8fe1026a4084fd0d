//! The reasons why commands cannot be recorded.

/// A command that a [`Recorder`](crate::Recorder) refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("command {command} {reason}")]
pub struct RecordError {
    /// The index of the first such command.
    pub command: usize,
    /// The reason.
    pub reason: Refused,
}

/// The reason why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refused {
    /// A coordinate, a width, a limit, an opacity, or a transform is NaN or infinite.
    NotFinite,
    /// A path does not begin with a move to its first point.
    NoMoveTo,
    /// A shape other than a path has more than 2²⁰ elements.
    TooManyElements,
    /// The paint is [`Paint::Custom`](anyrender::Paint::Custom), which cannot be stored.
    CustomPaint,
    /// The command is a pop, and no layer is open.
    PopWithoutLayer,
    /// The command pushes a layer that is never popped.
    LayerWithoutPop,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "has a number that is NaN or infinite: give it finite ones",
            Self::NoMoveTo => "has a path that does not begin with MoveTo: begin each path with it",
            Self::TooManyElements => {
                "has a shape of more than 1048576 curves: draw a part of it, or give it a smaller size"
            }
            Self::CustomPaint => {
                "has a custom paint, which cannot be recorded: register it as a resource, or draw it directly"
            }
            Self::PopWithoutLayer => "pops a layer, but none is open: push one before it",
            Self::LayerWithoutPop => "pushes a layer that is never popped: pop it",
        })
    }
}
