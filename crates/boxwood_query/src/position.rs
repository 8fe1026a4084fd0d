//! Where elements are in a document.

use std::borrow::Cow;

use boxwood_svg::{Source, Unlisted};
use serde::Serialize;

/// Where an SVG element is in the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentPosition<'a> {
    /// Its path, after those of the `use` elements that draw it.
    pub path: Cow<'a, str>,
    /// Its line, starting at 1.
    pub line: u32,
    /// Its column, in characters, starting at 1.
    pub column: u32,
    /// The value of its attribute `class`.
    pub class: Cow<'a, str>,
}

impl<'a> From<&'a Source> for DocumentPosition<'a> {
    fn from(Source { path, line, column, class, .. }: &'a Source) -> Self {
        Self { path: path.into(), line: *line, column: *column, class: class.into() }
    }
}

impl From<&Unlisted> for DocumentPosition<'static> {
    fn from(Unlisted { path, line, column, class, .. }: &Unlisted) -> Self {
        Self { path: path.clone().into(), line: *line, column: *column, class: class.clone().into() }
    }
}
