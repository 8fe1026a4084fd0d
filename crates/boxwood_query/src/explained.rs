//! Why elements are visible, or not.

use std::borrow::Cow;

use boxwood_cpu::Aabb;
use boxwood_svg::{Drawing, Explanation, Hidden, NoBox, Part, Role, Source, SourceKind, Step, Unlisted};
use serde::{Serialize, Serializer};

use crate::clips::effect_of;
use crate::json::JsonBox;
use crate::position::DocumentPosition;
use crate::wanted::{NotFound, Wanted};

/// An explained element. It has either parts or a reason.
#[derive(Clone, Debug)]
pub struct Explained<'d> {
    /// The drawing, whose sources the parts refer to.
    pub drawing: &'d Drawing,
    /// The source, if the element is drawn or could be.
    pub source: Option<&'d Source>,
    /// The SVG id, or a path such as `/svg/g[2]/rect[1]`.
    pub name: Cow<'d, str>,
    /// The name of the SVG element, such as `rect`.
    pub element: Cow<'d, str>,
    /// Where the element is in the document.
    pub position: DocumentPosition<'d>,
    /// What the element paints, with the effects around it.
    pub parts: Vec<Part>,
    /// Why it paints nothing.
    pub reason: Option<NoBox>,
}

/// Explained elements of a drawing.
#[derive(Clone, Debug)]
pub struct Explanations<'d> {
    /// The elements in document order. Those that are not drawn come last.
    pub elements: Vec<Explained<'d>>,
    /// The ids and selectors that no element of the drawing has.
    pub missing: Vec<NotFound>,
}

/// Explains the wanted elements of a drawing: what each effect around them leaves of their boxes,
/// and what else hides them.
///
/// ```
/// use boxwood_query::{Wanted, explain};
///
/// let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
///     <rect id="r" x="90" y="10" width="30" height="20"/></svg>"#;
/// let drawing = boxwood_svg::load(svg, &boxwood_svg::Options::default())?;
/// let wanted = Wanted { ids: vec!["r".to_owned()], ..Wanted::default() };
/// let explanations = explain(&drawing, &wanted);
/// let left = explanations.elements[0].parts[0].left;
/// assert_eq!(left.to_string(), "(90, 10, 100, 30)");
/// # Ok::<(), boxwood_svg::Error>(())
/// ```
pub fn explain<'d>(drawing: &'d Drawing, wanted: &Wanted) -> Explanations<'d> {
    let search = wanted.search(drawing);
    let sources = (0_u32..).zip(&drawing.sources).map(|(source, _)| source);
    let sources: Vec<_> = sources.filter(|source| search.is_wanted(*source as usize)).collect();
    let reasons = drawing.unpainted();
    let explanations = boxwood_svg::explain(drawing, &sources).into_iter();
    let of_sources = explanations.map(|explanation| {
        let reason = reasons[explanation.source as usize].as_ref();
        Explained::of_source(drawing, explanation, reason)
    });
    let unlisted = (drawing.sources.len()..).zip(drawing.unlisted());
    let unlisted = unlisted.filter(|(order, _)| search.is_wanted(*order));
    let of_unlisted = unlisted.map(|(_, unlisted)| Explained::of_unlisted(drawing, unlisted));
    Explanations { elements: of_sources.chain(of_unlisted).collect(), missing: search.missing }
}

impl<'d> Explained<'d> {
    fn of_source(drawing: &'d Drawing, explanation: Explanation, reason: Option<&NoBox>) -> Self {
        let (source, parts) = (&drawing.sources[explanation.source as usize], explanation.parts);
        Self {
            drawing,
            source: Some(source),
            name: (&source.name).into(),
            element: (&source.tag).into(),
            position: source.into(),
            reason: parts.is_empty().then(|| reason.unwrap_or(&NoBox::NoContents).clone()),
            parts,
        }
    }

    fn of_unlisted(drawing: &'d Drawing, unlisted: Unlisted) -> Self {
        Self {
            drawing,
            source: None,
            name: unlisted.name().to_owned().into(),
            position: (&unlisted).into(),
            element: unlisted.tag.into(),
            parts: Vec::new(),
            reason: Some(unlisted.reason),
        }
    }

    /// The kind of a part in one word: `fill`, `stroke`, `markers`, `filter`, `image`, or
    /// `contents`.
    pub fn word(&self, part: &Part) -> &'static str {
        let is_image = self.source.is_some_and(|source| source.kind == SourceKind::Image);
        match part.role {
            _ if part.is_marker => "markers",
            Some(Role::Fill) => "fill",
            Some(Role::Stroke) => "stroke",
            Some(Role::Filter) => "filter",
            _ if is_image => "image",
            _ => "contents",
        }
    }
}

/// The area of a box in px², without overflow.
pub fn box_area(b: Aabb) -> f64 {
    let length = |start: f32, end: f32| f64::from(end) - f64::from(start);
    if b.is_empty() { 0.0 } else { length(b.x0, b.x1) * length(b.y0, b.y1) }
}

#[derive(Serialize)]
struct JsonElement<'e> {
    name: &'e str,
    element: &'e str,
    #[serde(flatten)]
    position: &'e DocumentPosition<'e>,
    parts: Vec<JsonPart<'e>>,
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
    /// `viewport`, `clip-path`, `mask`, `marker`, `no-area`, or `group` for one that does not clip.
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

/// The JSON of a box, where a box without area is empty.
fn json_box(bounds: Aabb) -> JsonBox {
    match bounds {
        Aabb::PLANE => JsonBox::Plane("plane"),
        _ if bounds.is_empty() => JsonBox::Empty,
        _ => JsonBox::edges(bounds),
    }
}

impl Serialize for Explained<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { name, element, position, parts, reason, .. } = self;
        let parts = parts.iter().map(|part| json_part(self, part)).collect();
        let (reason, explanation) =
            (reason.as_ref().map(NoBox::word), reason.as_ref().map(ToString::to_string));
        JsonElement { name, element, position, parts, reason, explanation }.serialize(serializer)
    }
}

fn json_part<'a>(explained: &'a Explained<'_>, part: &'a Part) -> JsonPart<'a> {
    let drawing = explained.drawing;
    let name = |source: u32| &*drawing.sources[source as usize].name;
    let mut before = part.own_box;
    let step = |step: &'a Step| {
        let cut_area = box_area(before) - box_area(step.left);
        before = step.left;
        json_step(&drawing.sources[step.source as usize], step, cut_area)
    };
    JsonPart {
        part: explained.word(part),
        leaves: part.n_leaves,
        filter: part.filter.map(name),
        own_box: json_box(part.own_box),
        area: box_area(part.own_box),
        steps: part.steps.iter().map(step).collect(),
        left: json_box(part.left),
        left_area: box_area(part.left),
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
        clip_box: json_box(step.clip_box),
        left: json_box(step.left),
        left_area: box_area(step.left),
        cut_area,
    }
}
