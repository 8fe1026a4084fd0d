//! Stands for the module `fonts` without the feature `text`: there are no fonts.

/// No fonts, because texts need the feature `text`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FontSet;
