//! Why an SVG element has no box.

use std::fmt;

use crate::xml::{GRAPHICS, TEXT_PARTS};

/// An SVG element that is not a [`Source`](crate::Source), and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlisted {
    /// The id of the element, empty if it has none.
    pub id: String,
    /// The name of the element, such as `linearGradient`.
    pub tag: String,
    /// The path of the element in the document as `XPath` counts, such as `/svg/defs[1]/rect[1]`.
    pub path: String,
    /// The line of the element in the document, starting at 1.
    pub line: u32,
    /// The column of the element in its line, in characters, starting at 1.
    pub column: u32,
    /// The value of the attribute `class`.
    pub class: String,
    /// Why it is not a source.
    pub reason: NoBox,
}

impl Unlisted {
    /// The id of the element. Without an id, its [`path`](Self::path).
    pub fn name(&self) -> &str {
        if self.id.is_empty() { &self.path } else { &self.id }
    }

    /// Whether it would be drawn where it is, if nothing was missing or unsupported. A part of a
    /// text is drawn by the text.
    pub fn would_be_drawn(&self) -> bool {
        match &self.reason {
            NoBox::DisplayNone { .. }
            | NoBox::Definition { .. }
            | NoBox::NotGraphics
            | NoBox::NotSelected { .. } => false,
            NoBox::Unsupported { tag } => *tag == self.tag,
            _ => {
                let tag = &*self.tag;
                GRAPHICS.contains(&tag) && !TEXT_PARTS.contains(&tag)
            }
        }
    }
}

/// Why an SVG element has no box. Its [word](Self::word) is for programs, and its text for people.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoBox {
    /// `display: none` is set on the element, or on one around it.
    DisplayNone {
        /// The path of the element with the property.
        on: String,
    },
    /// It is a definition, or inside of one. It is drawn only where something refers to it, and the
    /// boxes are there.
    Definition {
        /// The name of the innermost definition, such as `defs` or `clipPath`.
        within: String,
    },
    /// It is an element of a kind that is never drawn, such as `title`, or in a place where nothing
    /// is, such as in a `rect`.
    NotGraphics,
    /// It is a kind of element that is not supported, or inside of one, such as `foreignObject`.
    Unsupported {
        /// The name of the element.
        tag: String,
    },
    /// Its conditional attributes, or those of an element around it, are not met, or a `switch`
    /// selects another child.
    NotSelected {
        /// The path of the element that is left out.
        out: String,
    },
    /// It has no geometry: a width, height, radius or transform that is zero, or too few points.
    NoSize,
    /// It has no contents that can have a box.
    NoContents,
    /// It refers to an element that does not exist or cannot be drawn.
    BrokenReference,
    /// It closes a cycle of references, or is inside of an element that does.
    ReferenceCycle {
        /// The path of the element that closes the cycle.
        through: String,
    },
    /// It, or an element around it, has a clip path, mask or filter that is invalid.
    InvalidEffect {
        /// The path of the element with the effect.
        on: String,
    },
    /// usvg does not tell it apart from the element around it, or leaves it out for a reason that
    /// is not known.
    Unknown,
    /// It is hidden by `visibility`.
    Hidden,
    /// It, or a group around it, has an opacity of zero.
    Transparent,
    /// It has neither a fill nor a stroke that paints.
    NoPaint,
    /// It, or a group around it, has a filter that paints nothing.
    EmptyFilter,
    /// The numbers of its transform are too large.
    HugeTransform,
    /// It is an image that was not loaded.
    NotLoaded,
    /// It is a text, and there is no font.
    NoFont,
    /// Clips leave nothing of it.
    ClippedAway,
    /// It has boxes, but none of the requested kinds or parts.
    OtherBoxes,
}

impl NoBox {
    /// The reason in one word that does not change, such as `display-none`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::DisplayNone { .. } => "display-none",
            Self::Definition { .. } => "definition",
            Self::NotGraphics => "not-graphics",
            Self::Unsupported { .. } => "unsupported",
            Self::NotSelected { .. } => "not-selected",
            Self::NoSize => "no-size",
            Self::NoContents => "no-contents",
            Self::BrokenReference => "broken-reference",
            Self::ReferenceCycle { .. } => "reference-cycle",
            Self::InvalidEffect { .. } => "invalid-effect",
            Self::Unknown => "unknown",
            Self::Hidden => "hidden",
            Self::Transparent => "transparent",
            Self::NoPaint => "no-paint",
            Self::EmptyFilter => "empty-filter",
            Self::HugeTransform => "huge-transform",
            Self::NotLoaded => "not-loaded",
            Self::NoFont => "no-font",
            Self::ClippedAway => "clipped-away",
            Self::OtherBoxes => "other-boxes",
        }
    }
}

/// A sentence without a subject, which is the element.
impl fmt::Display for NoBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DisplayNone { on } => write!(f, "has `display: none`, set on {on}"),
            Self::Definition { within } => {
                write!(f, "is a <{within}>, or in one, and is drawn only where something refers to it")
            }
            Self::NotGraphics => f.write_str("is never drawn"),
            Self::Unsupported { tag } => write!(f, "belongs to a <{tag}>, which is not supported"),
            Self::NotSelected { out } => {
                write!(f, "is left out with {out}, by conditional attributes or a <switch>")
            }
            Self::NoSize => f.write_str("has no size, or too few points"),
            Self::NoContents => f.write_str("has no contents with a box"),
            Self::BrokenReference => f.write_str("refers to nothing that can be drawn"),
            Self::ReferenceCycle { through } => {
                write!(f, "is part of a cycle of references through {through}")
            }
            Self::InvalidEffect { on } => {
                write!(f, "is not drawn: a clip path, mask or filter on {on} is invalid")
            }
            Self::Unknown => {
                f.write_str("is not drawn, or Boxwood cannot tell it from the element around it")
            }
            Self::Hidden => f.write_str("is hidden by `visibility`"),
            Self::Transparent => f.write_str("has an opacity of 0, or is in a group that has"),
            Self::NoPaint => f.write_str("has neither a fill nor a stroke that paints"),
            Self::EmptyFilter => f.write_str("has a filter that paints nothing, or is in a group that has"),
            Self::HugeTransform => f.write_str("has a transform whose numbers are too large"),
            Self::NotLoaded => f.write_str("is an image that was not loaded"),
            Self::NoFont => f.write_str("is a text, and no font is given"),
            Self::ClippedAway => f.write_str("is entirely clipped away"),
            Self::OtherBoxes => f.write_str("has boxes, but none of this kind"),
        }
    }
}
