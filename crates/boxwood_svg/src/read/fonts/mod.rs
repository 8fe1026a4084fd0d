//! Fonts. They are looked up for the first drawing that has text, and shared by later drawings.

pub(crate) mod embedded;
mod families;
mod fontconfig;
mod library;
mod woff;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use usvg::FontResolver;

use crate::options::{Fonts, Options};
use crate::read::fonts::embedded::EmbeddedFonts;
use crate::read::fonts::library::Library;

pub use library::FontFile;

/// Lets usvg find the fonts in a drawing, and those that the options name. The database of a
/// drawing has only the faces that the drawing uses.
pub(crate) fn resolver(options: &Options, embedded: &Arc<EmbeddedFonts>) -> FontResolver<'static> {
    let (fonts, dirs) = (options.fonts, options.font_dirs.clone());
    let library = Arc::new(LazyLock::new(move || library(fonts, &dirs)));
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
    library(options.fonts, &options.font_dirs).outline_face(c, max_bytes)
}

/// The fonts for these options, which are loaded once.
fn library(fonts: Fonts, dirs: &[PathBuf]) -> Arc<Library> {
    type Libraries = HashMap<(Fonts, Vec<PathBuf>), Arc<Library>>;
    static LIBRARIES: LazyLock<Mutex<Libraries>> = LazyLock::new(Mutex::default);
    let mut libraries = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
    let library = libraries.entry((fonts, dirs.to_vec()));
    Arc::clone(library.or_insert_with(|| Arc::new(Library::new(fonts, dirs))))
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

    #[test]
    fn a_library_is_loaded_once() {
        assert!(Arc::ptr_eq(&library(Fonts::Bundled, &[]), &library(Fonts::Bundled, &[])));
    }
}
