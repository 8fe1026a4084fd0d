//! JSON, as one document or as one object per line.

use std::io::{self, Write};

use boxwood_cpu::Aabb;
use boxwood_svg::{Clip, Drawing, Hidden, NoBox, Part, Role, Source, SourceKind, Step, Unlisted};
use serde::Serialize;

use super::{Element, FileElements, area};
use crate::json::{SCHEMA, list, text};

/// Prints a file as an object, with one line per element.
pub(super) fn print_file(out: &mut impl Write, file: &FileElements<'_>) -> io::Result<()> {
    let elements = list(file.elements.iter().map(|element| json(file, element)), 6)?;
    let path = text(&file.path)?;
    write!(out, "\n    {{\n      \"file\": {path},\n      \"elements\": {elements}\n    }}")
}

/// Prints every element as an object that is complete by itself.
pub(super) fn print_lines(out: &mut impl Write, file: &FileElements<'_>) -> io::Result<()> {
    file.elements.iter().try_for_each(|element| {
        let line = JsonLine { schema: SCHEMA, file: &file.path, element: json(file, element) };
        writeln!(out, "{}", text(&line)?)
    })
}

#[derive(Serialize)]
struct JsonLine<'a> {
    schema: u32,
    file: &'a str,
    #[serde(flatten)]
    element: JsonElement<'a>,
}

/// An element. It has either parts or a reason.
#[derive(Serialize)]
struct JsonElement<'a> {
    name: &'a str,
    element: &'a str,
    path: &'a str,
    line: u32,
    column: u32,
    class: &'a str,
    parts: Vec<JsonPart<'a>>,
    reason: Option<&'static str>,
    explanation: Option<String>,
}

#[derive(Serialize)]
struct JsonPart<'a> {
    part: &'static str,
    leaves: usize,
    /// The name of the element whose filter the part is an input of.
    filter: Option<&'a str>,
    #[serde(rename = "box")]
    own_box: JsonBox,
    area: f64,
    steps: Vec<JsonStep<'a>>,
    left: JsonBox,
    left_area: f64,
    hidden: Option<JsonHidden<'a>>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    /// `viewport`, `clip-path`, `mask`, or `group` for one that does not clip.
    effect: &'static str,
    id: Option<&'a str>,
    of: &'a str,
    line: u32,
    column: u32,
    opacity: f32,
    blends: bool,
    clip_box: JsonBox,
    left: JsonBox,
    left_area: f64,
    cut_area: f64,
}

#[derive(Serialize)]
struct JsonHidden<'a> {
    why: &'static str,
    by: Option<&'a str>,
}

/// `[x0, y0, x1, y1]`, null for an empty box, or `"plane"`.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonBox {
    Edges([f32; 4]),
    Plane(&'static str),
    Empty,
}

impl From<Aabb> for JsonBox {
    fn from(b: Aabb) -> Self {
        match b {
            Aabb::PLANE => Self::Plane("plane"),
            _ if b.is_empty() => Self::Empty,
            Aabb { x0, y0, x1, y1 } => Self::Edges([x0, y0, x1, y1]),
        }
    }
}

fn json<'a>(file: &FileElements<'a>, element: &'a Element<'a>) -> JsonElement<'a> {
    let no_box = |reason: &NoBox| (Some(reason.word()), Some(reason.to_string()));
    match element {
        Element::Source(source, explained, reason) => {
            let has_parts = !explained.parts.is_empty();
            let reason = reason.as_ref().unwrap_or(&NoBox::NoContents);
            let (reason, explanation) = if has_parts { (None, None) } else { no_box(reason) };
            let Source { name, tag, path, line, column, class, .. } = source;
            let parts = explained.parts.iter().map(|part| json_part(file.drawing, source, part)).collect();
            let (line, column) = (*line, *column);
            JsonElement { name, element: tag, path, line, column, class, parts, reason, explanation }
        }
        Element::Unlisted(unlisted) => {
            let Unlisted { tag, path, line, column, class, reason, .. } = unlisted;
            let (name, line, column) = (unlisted.name(), *line, *column);
            let ((reason, explanation), parts) = (no_box(reason), Vec::new());
            JsonElement { name, element: tag, path, line, column, class, parts, reason, explanation }
        }
    }
}

fn json_part<'a>(drawing: &'a Drawing, source: &Source, part: &'a Part) -> JsonPart<'a> {
    let name = |source: u32| &*drawing.sources[source as usize].name;
    let mut before = part.own_box;
    let step = |step: &'a Step| {
        let cut_area = area(before) - area(step.left);
        before = step.left;
        json_step(&drawing.sources[step.source as usize], step, cut_area)
    };
    JsonPart {
        part: match part.role {
            _ if part.is_marker => "markers",
            Some(Role::Fill) => "fill",
            Some(Role::Stroke) => "stroke",
            Some(Role::Filter) => "filter",
            _ if source.kind == SourceKind::Image => "image",
            _ => "contents",
        },
        leaves: part.n_leaves,
        filter: part.filter.map(name),
        own_box: part.own_box.into(),
        area: area(part.own_box),
        steps: part.steps.iter().map(step).collect(),
        left: part.left.into(),
        left_area: area(part.left),
        hidden: part.hidden.map(|hidden| match hidden {
            Hidden::Empty => JsonHidden { why: "empty", by: None },
            Hidden::OffCanvas => JsonHidden { why: "off-canvas", by: None },
            Hidden::ClippedAway { by } => JsonHidden { why: "clipped-away", by: by.map(name) },
            Hidden::Covered { by } => JsonHidden { why: "covered", by: Some(name(by)) },
        }),
    }
}

fn json_step<'a>(source: &'a Source, step: &'a Step, cut_area: f64) -> JsonStep<'a> {
    let (effect, id) = effect_of(step.clip.as_ref());
    JsonStep {
        effect,
        id,
        of: &source.name,
        line: source.line,
        column: source.column,
        opacity: step.opacity,
        blends: step.blends,
        clip_box: step.clip_box.into(),
        left: step.left.into(),
        left_area: area(step.left),
        cut_area,
    }
}

/// The word for an effect, and the id of its element if that is known.
pub(crate) fn effect_of(clip: Option<&Clip>) -> (&'static str, Option<&str>) {
    let (effect, id) = match clip {
        Some(Clip::Viewport) => ("viewport", ""),
        Some(Clip::Marker) => ("marker", ""),
        Some(Clip::NoArea) => ("no-area", ""),
        Some(Clip::ClipPath { id }) => ("clip-path", id.as_str()),
        Some(Clip::Mask { id }) => ("mask", id.as_str()),
        None => ("group", ""),
    };
    (effect, Some(id).filter(|id| !id.is_empty()))
}
