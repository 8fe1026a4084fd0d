//! Stands for the module `fonts` without the feature `text`: there are no fonts.

use std::sync::Arc;

use crate::options::Options;
use crate::read::no_fonts::embedded::EmbeddedFonts;

/// Whether there is a font for texts, besides those in the drawing.
pub(crate) fn is_empty(_: &Options) -> bool {
    true
}

/// Leaves texts out.
pub(crate) fn resolve(_: &mut usvg::Options<'_>, _: &Options, _: &Arc<EmbeddedFonts>) {}

pub(crate) mod embedded {
    use crate::css::font_faces::FontFace;
    use crate::dom::Document;
    use crate::warnings::Warnings;

    /// The fonts in a drawing, which are not read.
    #[derive(Debug, Default)]
    pub(crate) struct EmbeddedFonts;

    impl EmbeddedFonts {
        pub(crate) fn read(_: &[FontFace], _: &Document, _: &Warnings) -> Self {
            Self
        }

        pub(crate) fn is_empty(&self) -> bool {
            true
        }
    }
}
