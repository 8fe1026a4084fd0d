//! Fonts. They are looked up for the first drawing that has text, and shared by later drawings.

mod families;
mod fontconfig;
mod library;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use usvg::FontResolver;

use crate::options::{Fonts, Options};
use crate::read::fonts::library::Library;

/// Lets usvg find fonts as the options say. The database of a drawing has only the faces that the
/// drawing uses.
pub(crate) fn resolver(options: &Options) -> FontResolver<'static> {
    let (fonts, dirs) = (options.fonts, options.font_dirs.clone());
    let library = Arc::new(LazyLock::new(move || library(fonts, &dirs)));
    let fallback_library = Arc::clone(&library);
    FontResolver {
        select_font: Box::new(move |font, used| library.select(font, used)),
        select_fallback: Box::new(move |c, tried, used| fallback_library.select_fallback(c, tried, used)),
    }
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
    fn a_library_is_loaded_once() {
        assert!(Arc::ptr_eq(&library(Fonts::Bundled, &[]), &library(Fonts::Bundled, &[])));
    }
}
