//! The fonts in a drawing: those of its `@font-face` rules that are in the file itself.

use std::path::PathBuf;
use std::sync::Arc;

use data_url::DataUrl;
use ttf_parser::Face;
use usvg::fontdb::{Database, FaceInfo, Family, ID, Language, Query, Source, Stretch, Style, Weight};
use usvg::{Font, FontFamily};

use crate::css::font_faces::FontFace;
use crate::dom::Document;
use crate::fonts::{is_same, path, place_of, style, woff};
use crate::guard::fonts::{BadFont, check};
use crate::guard::limits::MAX_FONT_BYTES;
use crate::warnings::Warnings;

/// The fonts in a drawing, in the order of their rules.
#[derive(Debug, Default)]
pub(crate) struct EmbeddedFonts(Vec<EmbeddedFont>);

#[derive(Debug)]
struct EmbeddedFont {
    face: FaceInfo,
    weights: [u16; 2],
}

impl EmbeddedFonts {
    /// Reads the fonts of rules. Warns about those that it cannot read.
    pub(crate) fn read(rules: &[FontFace], document: &Document, warnings: &Warnings) -> Self {
        let (mut fonts, mut n_bytes, mut ignored) = (Vec::new(), 0, Vec::new());
        for rule in rules {
            let mut reason = "without a font in the file";
            let found = rule.addresses.iter().find_map(|address| {
                decoded(address, MAX_FONT_BYTES - n_bytes).map_err(|other| reason = other).ok()
            });
            match found {
                Some(data) => {
                    n_bytes += data.len();
                    fonts.push(EmbeddedFont { face: face(data, rule, fonts.len()), weights: rule.weights });
                }
                None => ignored.push((rule.at, reason)),
            }
        }
        while let Some((at, reason)) = ignored.first().copied() {
            let [line, column] = document.position(at);
            let n_ignored = ignored.len();
            ignored.retain(|(_, other)| *other != reason);
            warnings.add_css(format!("{line}:{column} (@font-face {reason})"), n_ignored - ignored.len());
        }
        Self(fonts)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The index of the first family of a font that is here.
    pub(super) fn first_family(&self, font: &Font) -> Option<usize> {
        let is_here = |family: &FontFamily| match family {
            FontFamily::Named(name) => self.of_family(name).next().is_some(),
            _ => false,
        };
        font.families().iter().position(is_here)
    }

    fn of_family(&self, name: &str) -> impl Iterator<Item = &EmbeddedFont> {
        self.0.iter().filter(move |font| is_same(&font.face.families[0].0, name))
    }

    /// The face of a family that comes closest to a font, which is added to the faces that a
    /// drawing uses.
    pub(super) fn select(&self, family: &FontFamily, font: &Font, used: &mut Arc<Database>) -> Option<ID> {
        let FontFamily::Named(name) = family else { return None };
        let mut candidates = Database::new();
        // The last rule takes precedence (CSS Fonts 4, section 4.1).
        let mut fonts: Vec<_> = self.of_family(name).collect();
        fonts.reverse();
        let ids: Vec<_> = fonts
            .iter()
            .map(|EmbeddedFont { face, weights: [lowest, highest] }| {
                let weight = Weight(font.weight().clamp(*lowest, *highest));
                candidates.push_face_info(FaceInfo { weight, ..face.clone() })
            })
            .collect();
        let family = &fonts.first()?.face.families[0].0;
        let query = Query {
            families: &[Family::Name(family)],
            weight: Weight(font.weight()),
            stretch: Stretch::Normal,
            style: style(font.style()),
        };
        let id = candidates.query(&query)?;
        let (_, found) = ids.iter().zip(fonts).find(|(candidate, _)| **candidate == id)?;
        Some(place(&found.face, used))
    }

    /// A face with a glyph for a character, of the same family as one that has been tried.
    pub(super) fn select_fallback(&self, c: char, tried: &[ID], used: &mut Arc<Database>) -> Option<ID> {
        let is_tried =
            |font: &&EmbeddedFont| place_of(&font.face, used).is_some_and(|id| tried.contains(&id));
        let tried: Vec<_> = self.0.iter().filter(is_tried).collect();
        let fallback = self.0.iter().find(|font| {
            let is_other = !tried.iter().any(|tried| path(&tried.face) == path(&font.face));
            let is_related = tried.iter().any(|tried| tried.face.families == font.face.families);
            is_other && is_related && has_glyph(&font.face, c)
        });
        Some(place(&fallback?.face, used))
    }
}

/// The font at an address. Fails with what a warning says about the rule.
fn decoded(address: &str, max_bytes: usize) -> Result<Vec<u8>, &'static str> {
    const INVALID: &str = "with a font that cannot be read";
    const LARGE: &str = "with a font that is too large";
    let url = DataUrl::process(address).map_err(|_| "with a font in another file")?;
    // Base64 has four characters for three bytes.
    if address.len() / 4 * 3 > max_bytes {
        return Err(LARGE);
    }
    let (data, _) = url.decode_to_vec().map_err(|_| INVALID)?;
    if data.starts_with(woff::SIGNATURE_2) {
        return Err("with a font of WOFF 2");
    }
    let data = if data.starts_with(woff::SIGNATURE) { woff::decoded(&data, max_bytes) } else { Some(data) };
    let data = data.ok_or(INVALID)?;
    if data.len() > max_bytes {
        return Err(LARGE);
    }
    check(&data).map(|()| data).map_err(|reason| match reason {
        BadFont::Invalid => INVALID,
        BadFont::Large => LARGE,
        BadFont::Colors => "with a font that has colours",
    })
}

/// The face of a rule, with a path that no file has.
fn face(data: Vec<u8>, rule: &FontFace, index: usize) -> FaceInfo {
    let path = PathBuf::from(format!("@font-face/{index}"));
    FaceInfo {
        id: ID::dummy(),
        source: Source::SharedFile(path, Arc::new(data)),
        index: 0,
        families: vec![(rule.family.clone(), Language::English_UnitedStates)],
        post_script_name: String::new(),
        style: if rule.is_italic { Style::Italic } else { Style::Normal },
        weight: Weight(rule.weights[0]),
        stretch: Stretch::Normal,
        monospaced: false,
    }
}

fn has_glyph(face: &FaceInfo, c: char) -> bool {
    let Source::SharedFile(_, data) = &face.source else { return false };
    Face::parse((**data).as_ref(), face.index).is_ok_and(|face| face.glyph_index(c).is_some())
}

/// Adds a face to the faces that a drawing uses, unless it is among them.
fn place(face: &FaceInfo, used: &mut Arc<Database>) -> ID {
    place_of(face, used).unwrap_or_else(|| Arc::make_mut(used).push_face_info(face.clone()))
}

#[cfg(test)]
mod tests {
    use usvg::{Options, Tree};

    use super::*;
    use crate::options::Options as DrawingOptions;
    use crate::read::fonts::resolver;

    fn read(rules: &[FontFace]) -> (EmbeddedFonts, Vec<String>) {
        let document = Document::parse("<svg/>").expect("it is XML");
        let warnings = Warnings::default();
        let fonts = EmbeddedFonts::read(rules, &document, &warnings);
        (
            fonts,
            warnings
                .take()
                .into_iter()
                .map(|warning| format!("{} x {}", warning.count, warning.first))
                .collect(),
        )
    }

    fn rule(address: String, weights: [u16; 2]) -> FontFace {
        FontFace { family: "A".to_owned(), addresses: vec![address], weights, ..FontFace::default() }
    }

    /// An address with these bytes.
    fn address(bytes: &[u8]) -> String {
        let escaped: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
        format!("data:font/ttf,{escaped}")
    }

    #[test]
    fn fonts_that_cannot_be_read_have_warnings() {
        let (fonts, warnings) = read(&[
            rule("a.ttf".to_owned(), [400; 2]),
            rule(address(b"wOF2"), [400; 2]),
            rule(address(b"foo"), [400; 2]),
            rule("b.ttf".to_owned(), [400; 2]),
            FontFace::default(),
        ]);
        assert!(fonts.is_empty());
        assert_eq!(
            warnings,
            [
                "2 x 1:1 (@font-face with a font in another file)",
                "1 x 1:1 (@font-face with a font of WOFF 2)",
                "1 x 1:1 (@font-face with a font that cannot be read)",
                "1 x 1:1 (@font-face without a font in the file)",
            ]
        );
    }

    #[test]
    fn the_first_address_that_can_be_read_counts() {
        let font = address(boxwood_assets::NOTO_SANS);
        let addresses = vec!["a.ttf".to_owned(), address(b"wOF2"), font];
        let (fonts, warnings) = read(&[FontFace { addresses, ..rule(String::new(), [400; 2]) }]);
        assert!(!fonts.is_empty() && warnings.is_empty(), "{warnings:?}");
        let woff = address(&woff::encoded(boxwood_assets::NOTO_SANS));
        assert!(!read(&[rule(woff, [400; 2])]).0.is_empty());
    }

    #[test]
    fn the_last_rule_with_the_closest_weight_counts() {
        let font = address(boxwood_assets::NOTO_SANS);
        let weights = [[400, 400], [400, 400], [600, 900]];
        let fonts = Arc::new(read(&weights.map(|weights| rule(font.clone(), weights))).0);
        let chosen = |weight: u16| {
            let svg = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
                <text font-family='A' font-weight='{weight}'>A</text></svg>"
            );
            let font_resolver = resolver(&DrawingOptions::default(), &fonts);
            let options = Options { font_resolver, ..Options::default() };
            let tree = Tree::from_str(&svg, &options).expect("the drawing is valid");
            tree.fontdb().faces().next().and_then(|face| path(face).map(PathBuf::from))
        };
        assert_eq!(chosen(400), Some("@font-face/1".into()));
        assert_eq!(chosen(800), Some("@font-face/2".into()));
    }
}
