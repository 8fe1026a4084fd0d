//! The fonts that drawings can use, and the choice of a font.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fmt, fs};

use fontconfig_parser::Alias;
#[cfg(feature = "system-fonts")]
use fontconfig_parser::FontConfig;
use ttf_parser::{Face, name_id};
use usvg::fontdb::{Database, FaceInfo, Family, ID, Query, Source, Stretch, Style, Weight};
use usvg::{Font, FontFamily, FontStretch, FontStyle};

use crate::fonts::families::{alternate, have_same_metrics, is_same};
#[cfg(feature = "system-fonts")]
use crate::fonts::fontconfig::configuration;
use crate::fonts::fontconfig::substitutes;

/// The generic families, each with the families to prefer to the default one on a system without
/// fontconfig.
const GENERICS: [(&str, &[&str]); 5] = [
    ("serif", &["Times New Roman", "Noto Serif", "DejaVu Serif", "Liberation Serif", "FreeSerif"]),
    ("sans-serif", &["Arial"]),
    (
        "monospace",
        &["Courier New", "Noto Sans Mono", "Noto Mono", "DejaVu Sans Mono", "Liberation Mono", "FreeMono"],
    ),
    ("cursive", &["Comic Sans MS", "Yellowtail", "Comic Neue"]),
    ("fantasy", &["Impact", "Papyrus", "Sedgwick Ave Display"]),
];

/// Generic families that usvg takes for the names of families, because of their case or because it
/// does not know them. On Linux, Chromium takes `sans` for one.
const OTHER_SPELLINGS: [(&str, &str); 5] = [
    ("sans", "sans-serif"),
    ("sans-serif", "sans-serif"),
    ("serif", "serif"),
    ("monospace", "monospace"),
    ("system-ui", "system-ui"),
];

/// Chromium's family for a text if none of its families is installed.
const STANDARD_FAMILY: &str = "Times New Roman";

/// Fonts for any number of drawings.
///
/// A drawing gets a face with the contents of its file. To map a file for each glyph, as fontdb
/// would, takes half of the time of loading, and threads wait for each other meanwhile.
#[derive(Debug)]
pub(crate) struct Library {
    /// All faces. The bundled one is the first, and the only one that is not in a file. A font that
    /// a program has given counts as a file.
    faces: Database,
    aliases: Vec<Alias>,
    /// All faces, in the order in which they are tried for a character without a glyph.
    by_priority: Vec<ID>,
    /// The contents of the files that drawings use.
    files: Mutex<HashMap<PathBuf, Source>>,
    /// The faces of the fonts that drawings use.
    selected: Mutex<HashMap<Font, Option<ID>>>,
    /// For a character, the first face in `by_priority` that has it.
    fallbacks: Mutex<HashMap<char, Option<ID>>>,
}

impl Library {
    /// The bundled font, the fonts in folders, and those of the system if that is wanted.
    #[cfg(feature = "system-fonts")]
    pub(crate) fn installed(has_system_fonts: bool, dirs: &[PathBuf]) -> Self {
        let mut faces = Database::new();
        faces.load_font_source(Source::Binary(Arc::new(boxwood_assets::NOTO_SANS)));
        let mut config = FontConfig::default();
        if has_system_fonts {
            config = configuration();
            config.dirs.iter().for_each(|dir| faces.load_fonts_dir(&dir.path));
            if config.dirs.is_empty() {
                faces.load_system_fonts();
            }
        }
        dirs.iter().for_each(|dir| faces.load_fonts_dir(dir));
        Self::of(faces, config.aliases)
    }

    /// The fonts that a program gives, each with a path that no file has.
    ///
    /// # Errors
    ///
    /// The index of a font that cannot be read.
    pub(crate) fn given(fonts: impl IntoIterator<Item = Vec<u8>>) -> Result<Self, usize> {
        let mut faces = Database::new();
        for (index, font) in fonts.into_iter().enumerate() {
            let path = PathBuf::from(format!("font/{index}"));
            if faces.load_font_source(Source::SharedFile(path, Arc::new(font))).is_empty() {
                return Err(index);
            }
        }
        Ok(Self::of(faces, Vec::new()))
    }

    fn of(faces: Database, aliases: Vec<Alias>) -> Self {
        let by_priority = by_priority(&faces, &aliases);
        Self {
            faces,
            aliases,
            by_priority,
            files: Mutex::default(),
            selected: Mutex::default(),
            fallbacks: Mutex::default(),
        }
    }

    /// Whether there is a font at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// The first face, which replaces every font that is missing.
    fn first(&self) -> Option<&FaceInfo> {
        self.faces.faces().next()
    }

    /// The face for a font, which is added to the faces that a drawing uses.
    pub(crate) fn select(&self, font: &Font, used: &mut Arc<Database>) -> Option<ID> {
        let selected = {
            let mut selected = locked(&self.selected);
            // To look for the font takes longer than to copy its description.
            *selected.entry(font.clone()).or_insert_with(|| self.face_for(font))
        };
        selected.and_then(|id| self.place(id, used)).or_else(|| self.place(self.first()?.id, used))
    }

    /// A face with a glyph for a character, which is not among those that have been tried.
    pub(crate) fn select_fallback(&self, c: char, tried: &[ID], used: &mut Arc<Database>) -> Option<ID> {
        let is_tried = |id: ID| {
            let face = self.faces.face(id);
            face.and_then(|face| place_of(face, used)).is_some_and(|id| tried.contains(&id))
        };
        let has_glyph = |id: ID| {
            let glyph = |data: &[u8], index| Face::parse(data, index).ok()?.glyph_index(c);
            self.faces.with_face_data(id, glyph).flatten().is_some()
        };
        let mut ids = self.by_priority.iter().copied();
        let first =
            *locked(&self.fallbacks).entry(c).or_insert_with(|| ids.clone().find(|id| has_glyph(*id)));
        let first = first?;
        let fallback = if is_tried(first) { ids.find(|id| !is_tried(*id) && has_glyph(*id))? } else { first };
        self.place(fallback, used)
    }

    /// The first face in a file with an outline for a character. Its file has at most this many
    /// bytes.
    pub(crate) fn outline_face(&self, c: char, max_bytes: u64) -> Option<FontFile> {
        let has_outline = |id: ID| self.faces.with_face_data(id, |data, index| has_outline(data, index, c));
        let is_small = |path: &Path| fs::metadata(path).is_ok_and(|file| file.len() <= max_bytes);
        let faces = self.by_priority.iter().filter_map(|id| self.faces.face(*id));
        let mut small = faces.filter(|face| path(face).is_some_and(is_small));
        let face = small.find(|face| has_outline(face.id) == Some(true))?;
        let Source::SharedFile(path, data) = self.loaded(&face.source)? else { return None };
        Some(FontFile { name: format!("{} {}", path.display(), face.index), data, index: face.index })
    }

    /// Adds a face to the faces that a drawing uses, unless it is among them. `None` if the file of
    /// the face cannot be read.
    fn place(&self, id: ID, used: &mut Arc<Database>) -> Option<ID> {
        let face = self.faces.face(id)?;
        place_of(face, used).or_else(|| {
            let source = self.loaded(&face.source)?;
            Some(Arc::make_mut(used).push_face_info(FaceInfo { source, ..face.clone() }))
        })
    }

    /// A source with the contents of its file, which is read once.
    fn loaded(&self, source: &Source) -> Option<Source> {
        let Source::File(path) = source else { return Some(source.clone()) };
        let mut files = locked(&self.files);
        if let Some(file) = files.get(path) {
            return Some(file.clone());
        }
        let file = Source::SharedFile(path.clone(), Arc::new(fs::read(path).ok()?));
        Some(files.entry(path.clone()).or_insert(file).clone())
    }

    /// The face for a font: of the first of its families that is there, else of the default one.
    fn face_for(&self, font: &Font) -> Option<ID> {
        let mut families = font.families().iter();
        let first = families.find_map(|family| self.face_in(&self.family(family)?, font));
        first.or_else(|| {
            let standard = self.named(STANDARD_FAMILY);
            let generic = if self.aliases.is_empty() { "serif" } else { "sans-serif" };
            self.face_in(&standard.or_else(|| self.generic(generic))?, font)
        })
    }

    /// Whether a family of CSS has a face.
    pub(crate) fn has_family(&self, family: &FontFamily) -> bool {
        self.family(family).is_some_and(|name| !self.faces_of(&name).is_empty())
    }

    /// The installed family for a family of CSS.
    fn family(&self, family: &FontFamily) -> Option<String> {
        match family {
            FontFamily::Serif => self.generic("serif"),
            FontFamily::SansSerif => self.generic("sans-serif"),
            FontFamily::Cursive => self.generic("cursive"),
            FontFamily::Fantasy => self.generic("fantasy"),
            FontFamily::Monospace => self.generic("monospace"),
            FontFamily::Named(name) => {
                let spelled = |(spelling, _): &&(&str, _)| is_same(name, spelling);
                let generic = OTHER_SPELLINGS.iter().find(spelled);
                generic.and_then(|(_, generic)| self.system_family(generic)).or_else(|| self.named(name))
            }
        }
    }

    /// The installed family for a generic one.
    fn generic(&self, name: &str) -> Option<String> {
        let is_installed = |name: &&&str| !self.faces_of(name).is_empty();
        let preferred = || {
            let (_, preferred) = GENERICS.iter().find(|(generic, _)| *generic == name)?;
            preferred.iter().find(is_installed).map(|family| (*family).to_owned())
        };
        self.system_family(name)
            .or_else(preferred)
            .or_else(|| Some(self.first()?.families.first()?.0.clone()))
    }

    /// The family that Chromium takes on Linux for one with this name: fontconfig's answer, if that
    /// has the name, the same metrics, or if the configuration prefers it to the name.
    fn named(&self, name: &str) -> Option<String> {
        let answer = |name: &str| {
            let substitutes = substitutes(name, &self.aliases);
            let family = substitutes.iter().find(|family| self.is_in_a_file(family))?;
            let is_first = is_same(family, &substitutes[0]);
            (is_first || is_same(family, name) || have_same_metrics(family, name)).then(|| family.clone())
        };
        // Without fontconfig there is no answer to follow.
        let is_first = || self.first().is_some_and(|face| has_family(face, name));
        let bundled = || (self.aliases.is_empty() && is_first()).then(|| name.to_owned());
        answer(name).or_else(bundled).or_else(|| answer(alternate(name)?))
    }

    /// The family that fontconfig replaces a generic one by. The bundled font is unknown to it.
    fn system_family(&self, generic: &str) -> Option<String> {
        let substitutes = substitutes(generic, &self.aliases);
        substitutes.into_iter().find(|family| self.is_in_a_file(family))
    }

    fn is_in_a_file(&self, family: &str) -> bool {
        self.faces_of(family).iter().any(|face| path(face).is_some())
    }

    /// The faces of a family. It can be a part of what the font file calls a family, such as
    /// `DejaVu Sans Condensed`: fontconfig knows both names.
    fn faces_of(&self, family: &str) -> Vec<&FaceInfo> {
        let faces: Vec<_> = self.faces.faces().filter(|face| has_family(face, family)).collect();
        if !faces.is_empty() {
            return faces;
        }
        let is_around = |name: &str| {
            let start = family.get(..name.len());
            start.is_some_and(|start| is_same(start, name)) && family[name.len()..].starts_with(' ')
        };
        let can_be_part = |face: &&FaceInfo| face.families.iter().any(|(name, _)| is_around(name));
        let is_part = |data: &[u8], index| {
            let names = Face::parse(data, index).ok()?.names();
            let mut names = names.into_iter().filter(|name| name.name_id == name_id::FAMILY);
            Some(names.any(|name| name.to_string().is_some_and(|name| is_same(&name, family))))
        };
        let faces = self.faces.faces().filter(can_be_part);
        faces.filter(|face| self.faces.with_face_data(face.id, is_part).flatten() == Some(true)).collect()
    }

    /// The face of a family that comes closest to a font.
    fn face_in(&self, family: &str, font: &Font) -> Option<ID> {
        let mut candidates = Database::new();
        let mut ids = HashMap::new();
        for face in self.faces_of(family) {
            let families = vec![(family.to_owned(), face.families[0].1)];
            ids.insert(candidates.push_face_info(FaceInfo { families, ..face.clone() }), face.id);
        }
        let query = Query {
            families: &[Family::Name(family)],
            weight: Weight(font.weight()),
            stretch: stretch(font.stretch()),
            style: style(font.style()),
        };
        ids.get(&candidates.query(&query)?).copied()
    }
}

/// Whether a face is one of a family.
fn has_family(face: &FaceInfo, family: &str) -> bool {
    face.families.iter().any(|(name, _)| is_same(name, family))
}

/// Whether a face has a glyph with an outline for a character. A glyph of a colour font can be a
/// picture.
fn has_outline(data: &[u8], index: u32, c: char) -> bool {
    let face = Face::parse(data, index).ok();
    let glyph_box = face.and_then(|face| face.glyph_bounding_box(face.glyph_index(c)?));
    glyph_box.is_some()
}

/// A face in a font file.
#[derive(Clone)]
pub struct FontFile {
    /// The path of the file, and the index of the face.
    pub name: String,
    /// The contents of the file.
    pub data: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// The index of the face in the file.
    pub index: u32,
}

impl FontFile {
    /// Whether the face has a glyph with an outline for a character.
    pub fn has_outline(&self, c: char) -> bool {
        has_outline((*self.data).as_ref(), self.index, c)
    }
}

impl fmt::Debug for FontFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FontFile").field("name", &self.name).finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file of a face, `None` for the bundled one.
pub(crate) fn path(face: &FaceInfo) -> Option<&Path> {
    match &face.source {
        Source::File(path) | Source::SharedFile(path, _) => Some(path),
        Source::Binary(_) => None,
    }
}

/// The number of a face of the library among those that a drawing uses.
pub(crate) fn place_of(face: &FaceInfo, used: &Database) -> Option<ID> {
    let is_face = |other: &&FaceInfo| other.index == face.index && path(other) == path(face);
    used.faces().find(is_face).map(|face| face.id)
}

/// The order in which faces are tried for a character: families as fontconfig prefers them,
/// regular faces first, and the bundled font last if there are others.
fn by_priority(faces: &Database, aliases: &[Alias]) -> Vec<ID> {
    let preferred = substitutes("sans-serif", aliases);
    let rank = |face: &FaceInfo| {
        let is_name = |name: &String| face.families.iter().any(|(family, _)| is_same(family, name));
        let family = preferred.iter().position(is_name).unwrap_or(preferred.len());
        let weight = face.weight.0.abs_diff(Weight::NORMAL.0);
        let is_regular = face.style == Style::Normal && face.stretch == Stretch::Normal;
        (path(face).is_none(), family, Reverse(is_regular), weight)
    };
    let mut ids: Vec<_> = faces.faces().map(|face| (rank(face), face.id)).collect();
    ids.sort_by_key(|(rank, _)| *rank);
    ids.into_iter().map(|(_, id)| id).collect()
}

pub(crate) fn style(style: FontStyle) -> Style {
    match style {
        FontStyle::Normal => Style::Normal,
        FontStyle::Italic => Style::Italic,
        FontStyle::Oblique => Style::Oblique,
    }
}

fn stretch(stretch: FontStretch) -> Stretch {
    match stretch {
        FontStretch::UltraCondensed => Stretch::UltraCondensed,
        FontStretch::ExtraCondensed => Stretch::ExtraCondensed,
        FontStretch::Condensed => Stretch::Condensed,
        FontStretch::SemiCondensed => Stretch::SemiCondensed,
        FontStretch::Normal => Stretch::Normal,
        FontStretch::SemiExpanded => Stretch::SemiExpanded,
        FontStretch::Expanded => Stretch::Expanded,
        FontStretch::ExtraExpanded => Stretch::ExtraExpanded,
        FontStretch::UltraExpanded => Stretch::UltraExpanded,
    }
}

#[cfg(test)]
mod tests;
