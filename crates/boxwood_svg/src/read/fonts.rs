//! Font databases. One is loaded for the first drawing that has text, and shared by later drawings.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use fontconfig_parser::Alias;
use usvg::FontResolver;
use usvg::fontdb::{Database, FaceInfo, Family, Source};

use crate::options::{Fonts, Options};
use crate::read::fontconfig::{aliases, substitutes};

/// The family of the bundled font.
const BUNDLED_FAMILY: &str = "Noto Sans";

/// A generic family that usvg knows: its name, how to set it, and which families to prefer to the
/// bundled one on a system without fontconfig.
type Generic = (&'static str, Family<'static>, fn(&mut Database, String), &'static [&'static str]);

const GENERICS: [Generic; 5] = [
    (
        "serif",
        Family::Serif,
        Database::set_serif_family,
        &["Noto Serif", "DejaVu Serif", "Liberation Serif", "FreeSerif"],
    ),
    ("sans-serif", Family::SansSerif, Database::set_sans_serif_family, &[]),
    (
        "monospace",
        Family::Monospace,
        Database::set_monospace_family,
        &["Noto Sans Mono", "Noto Mono", "DejaVu Sans Mono", "Liberation Mono", "FreeMono"],
    ),
    ("cursive", Family::Cursive, Database::set_cursive_family, &["Yellowtail", "Comic Neue"]),
    ("fantasy", Family::Fantasy, Database::set_fantasy_family, &["Sedgwick Ave Display", "Impact"]),
];

/// The generic family of the system's user interface. usvg takes it for the name of a family.
const SYSTEM_UI: &str = "system-ui";

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
    let mut system_aliases = Vec::new();
    if fonts == Fonts::System {
        database.load_system_fonts();
        system_aliases = aliases();
    }
    for dir in dirs {
        database.load_fonts_dir(dir);
    }
    for (name, generic, set, preferred) in GENERICS {
        let current = database.family_name(&generic).to_owned();
        let mut candidates = [current.as_str()].into_iter().chain(preferred.iter().copied());
        let family = system_family(&database, name, &system_aliases)
            .or_else(|| candidates.find_map(|name| family_of(database.faces(), name)))
            .unwrap_or_else(|| BUNDLED_FAMILY.to_owned());
        set(&mut database, family);
    }
    if let Some(family) = system_family(&database, SYSTEM_UI, &system_aliases) {
        let renamed = |face: &FaceInfo| {
            let families = face.families.iter().filter(|(name, _)| *name == family);
            let families: Vec<_> = families.map(|(_, language)| (SYSTEM_UI.to_owned(), *language)).collect();
            (!families.is_empty()).then(|| FaceInfo { families, ..face.clone() })
        };
        for face in database.faces().filter_map(renamed).collect::<Vec<_>>() {
            database.push_face_info(face);
        }
    }
    database
}

/// The family that fontconfig replaces a generic one by. The bundled font is unknown to it.
fn system_family(database: &Database, generic: &str, aliases: &[Alias]) -> Option<String> {
    let installed = || database.faces().filter(|face| !matches!(face.source, Source::Binary(_)));
    substitutes(generic, aliases).iter().find_map(|name| family_of(installed(), name))
}

/// The family with this name among some faces, as they spell it.
fn family_of<'f>(mut faces: impl Iterator<Item = &'f FaceInfo>, name: &str) -> Option<String> {
    faces.find_map(|face| {
        face.families
            .iter()
            .find(|(family, _)| family.eq_ignore_ascii_case(name))
            .map(|(family, _)| family.clone())
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn every_generic_family_has_a_font() {
        for fonts in [Fonts::Bundled, Fonts::System] {
            let database = load(fonts, &[]);
            for (name, generic, ..) in GENERICS {
                let family = database.family_name(&generic);
                assert!(
                    family_of(database.faces(), family).is_some(),
                    "{fonts:?} has no font for {name}: {family}"
                );
            }
        }
    }

    #[test]
    fn generic_families_are_those_of_fontconfig() {
        let database = load(Fonts::System, &[]);
        let answer = |name: &str| {
            let output = Command::new("fc-match").args(["-f", "%{family[0]}", name]).output();
            output
                .ok()
                .and_then(|output| String::from_utf8(output.stdout).ok())
                .filter(|family| !family.is_empty())
        };
        for (name, generic, ..) in GENERICS {
            let Some(expected) = answer(name) else { return };
            assert_eq!(database.family_name(&generic), expected, "{name}");
        }
        let ids = |family: &str| {
            let names_it = |face: &&FaceInfo| face.families.iter().any(|(name, _)| name == family);
            database.faces().filter(names_it).map(|face| face.post_script_name.clone()).collect::<Vec<_>>()
        };
        let expected = answer(SYSTEM_UI).expect("fontconfig answers");
        assert_eq!(ids(SYSTEM_UI), ids(&expected));
    }

    #[test]
    fn a_database_is_loaded_once() {
        assert!(Arc::ptr_eq(&database(Fonts::Bundled, &[]), &database(Fonts::Bundled, &[])));
    }
}
