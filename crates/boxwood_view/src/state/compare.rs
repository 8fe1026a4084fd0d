//! How two drawings are compared.

/// A way to show two drawings in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    /// One after the other.
    Blink,
    /// One at the left of the pointer, the other at its right.
    Wipe,
    /// The pixels that differ.
    Difference,
}

impl Compare {
    /// The way after another, until there is none.
    pub(crate) fn next(current: Option<Self>) -> Option<Self> {
        match current {
            None => Some(Self::Blink),
            Some(Self::Blink) => Some(Self::Wipe),
            Some(Self::Wipe) => Some(Self::Difference),
            Some(Self::Difference) => None,
        }
    }
}
