//! Font databases. One is loaded for the first drawing that has text, and shared by later drawings.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use usvg::FontResolver;
use usvg::fontdb::{Database, Family};

use crate::options::{Fonts, Options};

/// The family of the bundled font.
const BUNDLED_FAMILY: &str = "Noto Sans";

/// For each generic family, how to set it and which families to prefer to the bundled one.
type Generic = (Family<'static>, fn(&mut Database, String), &'static [&'static str]);

const GENERICS: [Generic; 5] = [
    (
        Family::Serif,
        Database::set_serif_family,
        &["Noto Serif", "DejaVu Serif", "Liberation Serif", "FreeSerif"],
    ),
    (Family::SansSerif, Database::set_sans_serif_family, &[]),
    (
        Family::Monospace,
        Database::set_monospace_family,
        &["Noto Sans Mono", "Noto Mono", "DejaVu Sans Mono", "Liberation Mono", "FreeMono"],
    ),
    (Family::Cursive, Database::set_cursive_family, &["Yellowtail", "Comic Neue"]),
    (Family::Fantasy, Database::set_fantasy_family, &["Sedgwick Ave Display", "Impact"]),
];

/// Lets usvg find fonts as the options say. Loads none before usvg asks for one.
pub(crate) fn resolver(options: &Options) -> FontResolver<'static> {
    let (fonts, dirs) = (options.fonts, options.font_dirs.clone());
    let select = FontResolver::default_font_selector();
    FontResolver {
        select_font: Box::new(move |font, known| {
            if known.is_empty() {
                *known = database(fonts, &dirs);
            }
            select(font, known)
        }),
        select_fallback: FontResolver::default_fallback_selector(),
    }
}

fn database(fonts: Fonts, dirs: &[PathBuf]) -> Arc<Database> {
    type Databases = HashMap<(Fonts, Vec<PathBuf>), Arc<Database>>;
    static DATABASES: LazyLock<Mutex<Databases>> = LazyLock::new(Mutex::default);
    let mut databases = DATABASES.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(databases.entry((fonts, dirs.to_vec())).or_insert_with(|| Arc::new(load(fonts, dirs))))
}

fn load(fonts: Fonts, dirs: &[PathBuf]) -> Database {
    let mut database = Database::new();
    database.load_font_data(boxwood_assets::NOTO_SANS.to_vec());
    if fonts == Fonts::System {
        database.load_system_fonts();
    }
    for dir in dirs {
        database.load_fonts_dir(dir);
    }
    for (generic, set, preferred) in GENERICS {
        let current = database.family_name(&generic).to_owned();
        let mut candidates = [current.as_str()].into_iter().chain(preferred.iter().copied());
        let family = candidates.find(|name| has_family(&database, name)).unwrap_or(BUNDLED_FAMILY).to_owned();
        set(&mut database, family);
    }
    database
}

fn has_family(database: &Database, name: &str) -> bool {
    database.faces().any(|face| face.families.iter().any(|(family, _)| family == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generic_family_has_a_font() {
        for fonts in [Fonts::Bundled, Fonts::System] {
            let database = load(fonts, &[]);
            for (generic, ..) in GENERICS {
                let name = database.family_name(&generic);
                assert!(has_family(&database, name), "{fonts:?} has no font for {generic:?}: {name}");
            }
        }
    }

    #[test]
    fn a_database_is_loaded_once() {
        assert!(Arc::ptr_eq(&database(Fonts::Bundled, &[]), &database(Fonts::Bundled, &[])));
    }
}
