//! The runs of glyphs of texts.

use usvg::fontdb::Database;
use usvg::layout::Span;
use usvg::{Path, Text, TextSpan};

use super::{FontStyle, Paints, Run};
use crate::drawing::Drawing;
use crate::read::text_parts::{glyph_paths, lines};

/// The runs of a text, or of the part of it that this element is.
pub(super) fn runs(drawing: &Drawing, text: &Text, element: u32) -> Vec<Run> {
    let document = &drawing.document;
    let is_part = document.get(element).text_part.is_some();
    let innermost = |path: &Path| document.parts_of_paths.get(&std::ptr::from_ref(path).addr()).copied();
    let is_in = |inner: u32| inner == element || document.around(inner).any(|around| around == element);
    // A text without parts paints all of its runs itself.
    let whole = (document.end(element) == element + 1).then_some(element);
    let run = |path: Option<&Path>, span: Option<(&TextSpan, Option<&Span>)>| {
        let inner = path.and_then(innermost);
        if is_part && !inner.is_some_and(is_in) {
            return None;
        }
        let fill = span.map_or_else(|| path.and_then(Path::fill), |(span, _)| span.fill());
        let stroke = span.map_or_else(|| path.and_then(Path::stroke), |(span, _)| span.stroke());
        let font = span.map(|(span, glyphs)| font(span, glyphs, drawing.tree.fontdb()));
        let paints = Paints { fill: fill.map(Into::into), stroke: stroke.map(Into::into), font };
        Some(Run { paints, element: inner.or(whole) })
    };
    let spans = text.chunks().iter().flat_map(|chunk| chunk.spans());
    match outlines(text).filter(|outlines| outlines.len() == spans.clone().count()) {
        Some(outlines) => {
            // Spaces alone paint nothing.
            let runs = outlines.into_iter().zip(spans.zip(text.layouted()));
            let runs = runs.filter(|(path, _)| path.is_some());
            runs.filter_map(|(path, (span, glyphs))| run(path, Some((span, Some(glyphs))))).collect()
        }
        None if is_part => {
            let paths = glyph_paths(text, &lines(text)).unwrap_or_default();
            paths.into_iter().filter_map(|path| run(Some(path), None)).collect()
        }
        None => spans.filter_map(|span| run(None, Some((span, None)))).collect(),
    }
}

/// The path of each run. usvg merges the outlines of a run, and has no path for spaces alone.
/// `None` if the paths do not correspond to the runs.
fn outlines(text: &Text) -> Option<Vec<Option<&Path>>> {
    let mut paths = glyph_paths(text, &lines(text))?.into_iter();
    let has_outline = |span: &Span| {
        let mut characters = span.positioned_glyphs.iter().flat_map(|glyph| glyph.text.chars());
        characters.any(|c| !c.is_whitespace())
    };
    let outline = |span| if has_outline(span) { paths.next().map(Some) } else { Some(None) };
    let outlines: Option<Vec<_>> = text.layouted().iter().map(outline).collect();
    outlines.filter(|_| paths.next().is_none())
}

fn font(span: &TextSpan, glyphs: Option<&Span>, faces: &Database) -> FontStyle {
    let font = span.font();
    let mut used_families: Vec<String> = Vec::new();
    for glyph in glyphs.iter().flat_map(|span| &span.positioned_glyphs) {
        let face = faces.face(glyph.font);
        let family = face.and_then(|face| Some(face.families.first()?.0.clone()));
        used_families.extend(family.filter(|family| !used_families.contains(family)));
    }
    FontStyle {
        families: font.families().iter().map(ToString::to_string).collect(),
        used_families,
        size: span.font_size().get(),
        weight: font.weight(),
        style: match font.style() {
            usvg::FontStyle::Normal => "normal",
            usvg::FontStyle::Italic => "italic",
            usvg::FontStyle::Oblique => "oblique",
        },
    }
}
