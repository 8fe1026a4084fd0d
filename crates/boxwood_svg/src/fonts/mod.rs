//! The fonts that drawings can use: those of the system, and those that a program gives.

mod families;
mod fontconfig;
mod library;
pub(crate) mod woff;

#[cfg(feature = "system-fonts")]
use std::collections::HashMap;
#[cfg(feature = "system-fonts")]
use std::path::PathBuf;
use std::sync::Arc;
#[cfg(feature = "system-fonts")]
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::error::Error;
use crate::guard::limits::MAX_FONT_BYTES;

pub(crate) use families::is_same;
pub use library::FontFile;
pub(crate) use library::{Library, path, place_of, style};

/// Fonts that a program gives, for any number of drawings. Clones share the fonts, and are equal.
#[derive(Clone, Debug)]
pub struct FontSet(pub(crate) Arc<Library>);

impl FontSet {
    /// The fonts in TrueType, OpenType, or WOFF files, which the program trusts.
    ///
    /// # Errors
    ///
    /// [`Error::Font`] if a font cannot be read.
    pub fn new(fonts: impl IntoIterator<Item = Vec<u8>>) -> Result<Self, Error> {
        let decoded = |font: Vec<u8>| {
            let is_woff = font.starts_with(woff::SIGNATURE);
            if is_woff { woff::decoded(&font, MAX_FONT_BYTES).unwrap_or_default() } else { font }
        };
        let library = Library::given(fonts.into_iter().map(decoded));
        Ok(Self(Arc::new(library.map_err(|index| Error::Font { index })?)))
    }
}

impl Default for FontSet {
    /// No fonts.
    fn default() -> Self {
        Self(Arc::new(Library::given([]).expect("no font is wrong")))
    }
}

impl PartialEq for FontSet {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for FontSet {}

/// The bundled font, the fonts in folders, and those of the system if that is wanted. They are
/// loaded once.
#[cfg(feature = "system-fonts")]
pub(crate) fn installed(has_system_fonts: bool, dirs: &[PathBuf]) -> Arc<Library> {
    type Libraries = HashMap<(bool, Vec<PathBuf>), Arc<Library>>;
    static LIBRARIES: LazyLock<Mutex<Libraries>> = LazyLock::new(Mutex::default);
    let mut libraries = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
    let library = libraries.entry((has_system_fonts, dirs.to_vec()));
    Arc::clone(library.or_insert_with(|| Arc::new(Library::installed(has_system_fonts, dirs))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_loaded_once() {
        assert!(Arc::ptr_eq(&installed(false, &[]), &installed(false, &[])));
    }
}
