//! The fonts of a drawing. They are looked up for the first drawing that has text, and shared by
//! later drawings.

pub(crate) mod embedded;

use std::sync::{Arc, LazyLock};

use usvg::FontResolver;

#[cfg(feature = "system-fonts")]
use crate::fonts::installed;
use crate::fonts::{FontFile, FontSet, Library};
use crate::options::{Fonts, Options};
use crate::read::fonts::embedded::EmbeddedFonts;

/// Lets usvg find the fonts in a drawing, and those that the options name.
pub(crate) fn resolve(usvg: &mut usvg::Options<'_>, options: &Options, embedded: &Arc<EmbeddedFonts>) {
    usvg.font_resolver = resolver(options, embedded);
}

/// Finds the fonts in a drawing, and those that the options name. The database of a drawing has
/// only the faces that the drawing uses.
pub(crate) fn resolver(options: &Options, embedded: &Arc<EmbeddedFonts>) -> FontResolver<'static> {
    let options = options.clone();
    let library = Arc::new(LazyLock::new(move || library(&options)));
    let (fallback_library, embedded) = (Arc::clone(&library), Arc::clone(embedded));
    let fallback_embedded = Arc::clone(&embedded);
    FontResolver {
        select_font: Box::new(move |font, used| {
            let first = embedded.first_family(font).filter(|first| {
                let mut preferred = font.families()[..*first].iter();
                !preferred.any(|family| library.has_family(family))
            });
            let of_drawing = first.and_then(|first| embedded.select(&font.families()[first], font, used));
            of_drawing.or_else(|| library.select(font, used))
        }),
        select_fallback: Box::new(move |c, tried, used| {
            let of_drawing = fallback_embedded.select_fallback(c, tried, used);
            of_drawing.or_else(|| fallback_library.select_fallback(c, tried, used))
        }),
    }
}

/// A font with an outline for a character that another font lacks, for a program that shows texts
/// itself. Drawings use the same font for the character if theirs has none.
///
/// `None` if no font file of at most `max_bytes` has one. The first call lists the installed fonts,
/// unless a drawing with text was loaded before.
pub fn fallback_font(c: char, options: &Options, max_bytes: u64) -> Option<FontFile> {
    library(options).outline_face(c, max_bytes)
}

/// Whether there is a font for texts, besides those in the drawing.
pub(crate) fn is_empty(options: &Options) -> bool {
    matches!(&options.fonts, Fonts::Given(FontSet(library)) if library.is_empty())
}

/// The fonts for these options. Those of the system are loaded once.
fn library(options: &Options) -> Arc<Library> {
    match &options.fonts {
        Fonts::Given(FontSet(library)) => Arc::clone(library),
        #[cfg(feature = "system-fonts")]
        Fonts::System => installed(true, &options.font_dirs),
        #[cfg(feature = "system-fonts")]
        Fonts::Bundled => installed(false, &options.font_dirs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallback_has_the_character_and_is_within_the_bound() {
        let dir = tempfile::tempdir().expect("there is room");
        std::fs::write(dir.path().join("font.ttf"), boxwood_assets::NOTO_SANS).expect("there is room");
        let font_dirs = vec![dir.path().to_owned()];
        let options = Options { fonts: Fonts::Bundled, font_dirs, ..Options::default() };
        let size = boxwood_assets::NOTO_SANS.len() as u64;
        let font = fallback_font('a', &options, size).expect("the file has it");
        assert!(font.name.contains("font.ttf") && font.has_outline('b') && !font.has_outline('中'));
        assert!(fallback_font('a', &options, size - 1).is_none(), "the file is too large");
        assert!(fallback_font('中', &options, size).is_none());
        assert!(fallback_font(' ', &options, size).is_none(), "it has no outline");
        let bundled = Options { fonts: Fonts::Bundled, ..Options::default() };
        assert!(fallback_font('a', &bundled, u64::MAX).is_none(), "it is not in a file");
    }
}
