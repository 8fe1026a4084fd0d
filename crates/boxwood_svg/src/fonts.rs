//! The font databases, loaded when a drawing first has text and shared from then on.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use usvg::fontdb::{Database, Family};
use usvg::{FontResolver, Options as UsvgOptions};

use crate::options::{Fonts, Options};

/// The name of the bundled font's family.
const BUNDLED_FAMILY: &str = "Noto Sans";

type Databases = HashMap<(Fonts, Vec<PathBuf>), Arc<Database>>;

/// Lets usvg find fonts as `options` say, without loading any before it asks for one.
pub(crate) fn resolve_fonts(usvg_options: &mut UsvgOptions<'_>, options: &Options) {
    let (fonts, dirs) = (options.fonts, options.font_dirs.clone());
    let select = FontResolver::default_font_selector();
    usvg_options.font_resolver = FontResolver {
        select_font: Box::new(move |font, known| {
            if known.is_empty() {
                *known = database(fonts, &dirs);
            }
            select(font, known)
        }),
        select_fallback: FontResolver::default_fallback_selector(),
    };
}

fn database(fonts: Fonts, dirs: &[PathBuf]) -> Arc<Database> {
    static DATABASES: Mutex<Option<Databases>> = Mutex::new(None);
    let mut databases = DATABASES.lock().unwrap_or_else(PoisonError::into_inner);
    let databases = databases.get_or_insert_default();
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
    let pick = |generic: Family<'_>, others: &[&str]| {
        let own = database.family_name(&generic).to_owned();
        std::iter::once(own.as_str())
            .chain(others.iter().copied())
            .find(|name| has_family(&database, name))
            .unwrap_or(BUNDLED_FAMILY)
            .to_owned()
    };
    let serif = pick(Family::Serif, &["Noto Serif", "DejaVu Serif", "Liberation Serif", "FreeSerif"]);
    let sans_serif = pick(Family::SansSerif, &["Noto Sans", "DejaVu Sans", "Liberation Sans", "FreeSans"]);
    let monospace = pick(
        Family::Monospace,
        &["Noto Sans Mono", "Noto Mono", "DejaVu Sans Mono", "Liberation Mono", "FreeMono"],
    );
    let cursive = pick(Family::Cursive, &["Yellowtail", "Comic Neue"]);
    let fantasy = pick(Family::Fantasy, &["Sedgwick Ave Display", "Impact"]);
    database.set_serif_family(serif);
    database.set_sans_serif_family(sans_serif);
    database.set_monospace_family(monospace);
    database.set_cursive_family(cursive);
    database.set_fantasy_family(fantasy);
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
            for generic in
                [Family::Serif, Family::SansSerif, Family::Monospace, Family::Cursive, Family::Fantasy]
            {
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
