//! The clips and groups around elements, in words.

use std::fmt;

use boxwood_svg::{Clip, Source};
use serde::Serialize;

/// A clip around an element. Its text is for people, such as `clip-path #c of g`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClipAround {
    /// `viewport`, `clip-path`, `mask`, `marker`, or `no-area`.
    pub effect: &'static str,
    /// The id of the clip path or mask.
    pub id: Option<String>,
    /// The name of the element that it belongs to.
    pub of: String,
    /// The line of that element.
    pub line: u32,
    /// The column of that element.
    pub column: u32,
}

impl ClipAround {
    pub(crate) fn new(clip: &Clip, Source { name, line, column, .. }: &Source) -> Self {
        let (effect, id) = effect_of(Some(clip));
        let (id, of) = (id.map(str::to_owned), name.clone());
        Self { effect, id, of, line: *line, column: *column }
    }
}

impl fmt::Display for ClipAround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.effect)?;
        if let Some(id) = &self.id {
            write!(f, " #{id}")?;
        }
        write!(f, " of {}", self.of)
    }
}

/// The word for an effect, and the id of its element if that is known.
pub(crate) fn effect_of(clip: Option<&Clip>) -> (&'static str, Option<&str>) {
    let (effect, id) = match clip {
        Some(Clip::Viewport) => ("viewport", ""),
        Some(Clip::Marker) => ("marker", ""),
        Some(Clip::NoArea) => ("no-area", ""),
        Some(Clip::ClipPath { id }) => ("clip-path", id.as_str()),
        Some(Clip::Mask { id }) => ("mask", id.as_str()),
        None => ("group", ""),
    };
    (effect, Some(id).filter(|id| !id.is_empty()))
}
