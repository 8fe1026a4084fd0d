//! What is wasted in drawings, or sticks out of them.

use std::str::FromStr;

use boxwood_cpu::{Aabb, ElementKind, Scene};
use boxwood_svg::{Drawing, Source, SourceKind, Within};
use kurbo::Rect;
use serde::{Serialize, Serializer};

use crate::query::QueryError;
use crate::words::UnknownWord;

/// A question about what is wasted in a drawing, or sticks out of it.
///
/// ```
/// use boxwood_query::{FindingKind, FindingsQuery};
///
/// let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
///     <rect id="r" x="90" y="10" width="30" height="20"/></svg>"#;
/// let drawing = boxwood_svg::load(svg, &boxwood_svg::Options::default())?;
/// let query = FindingsQuery { kinds: vec![FindingKind::SticksOut], of_view_box: false };
/// let findings = query.answer(&drawing)?;
/// assert_eq!(findings[0].reason, "sticks out of the canvas: 20 px right");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingsQuery {
    /// Kinds of finding.
    pub kinds: Vec<FindingKind>,
    /// Whether [`SticksOut`](FindingKind::SticksOut) is about the `viewBox` of the root instead of
    /// the canvas. A drawing without a `viewBox` is compared with its canvas.
    pub of_view_box: bool,
}

/// All kinds of waste.
impl Default for FindingsQuery {
    fn default() -> Self {
        Self { kinds: FindingKind::WASTE.to_vec(), of_view_box: false }
    }
}

impl FindingsQuery {
    /// Checks that the options have a meaning together.
    ///
    /// # Errors
    ///
    /// [`QueryError::ViewBoxWithoutSticksOut`].
    pub fn check(&self) -> Result<(), QueryError> {
        let is_of_none = self.of_view_box && !self.kinds.contains(&FindingKind::SticksOut);
        if is_of_none { Err(QueryError::ViewBoxWithoutSticksOut) } else { Ok(()) }
    }

    /// The findings in a drawing, in document order.
    ///
    /// They are about the drawing as it is loaded. [`boxwood_svg::may_change`] returns what may
    /// change it.
    ///
    /// # Errors
    ///
    /// Those of [`check`](Self::check).
    pub fn answer(&self, drawing: &Drawing) -> Result<Vec<Finding>, QueryError> {
        self.check()?;
        let mut findings = Vec::new();
        if self.kinds.iter().any(|kind| *kind != FindingKind::SticksOut) {
            let wasted = boxwood_svg::audit(drawing).into_iter().map(Finding::from);
            findings.extend(wasted.filter(|finding| self.kinds.contains(&finding.kind)));
        }
        if self.kinds.contains(&FindingKind::SticksOut) {
            findings.extend(sticking_out(drawing, self.of_view_box));
            findings.sort_by_key(|finding| (finding.line, finding.column, finding.kind));
        }
        Ok(findings)
    }
}

/// A kind of finding. Its order is that of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// A part of the drawing that is wasted.
    Waste(boxwood_svg::FindingKind),
    /// An element whose ink leaves the canvas or the `viewBox`.
    SticksOut,
}

impl FindingKind {
    /// The kinds of waste.
    pub const WASTE: [Self; boxwood_svg::FindingKind::ALL.len()] = {
        let mut kinds = [Self::SticksOut; boxwood_svg::FindingKind::ALL.len()];
        let mut index = 0;
        while index < kinds.len() {
            kinds[index] = Self::Waste(boxwood_svg::FindingKind::ALL[index]);
            index += 1;
        }
        kinds
    };

    /// All kinds, in the order of a summary.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::WASTE.into_iter().chain([Self::SticksOut])
    }

    /// The kind in one word that does not change, such as `off-canvas`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waste(kind) => kind.word(),
            Self::SticksOut => "sticks-out",
        }
    }
}

impl FromStr for FindingKind {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        UnknownWord::find(word, "a kind of finding", &Self::all().collect::<Vec<_>>(), Self::word)
    }
}

impl Serialize for FindingKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// Something in a drawing that is wasted, or sticks out of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The id of the element, or its path if it has none.
    pub name: String,
    /// The name of the SVG element, such as `rect`.
    pub element: String,
    /// The path of the element in the document.
    pub path: String,
    /// The line of the element in the document, starting at 1.
    pub line: u32,
    /// The column of the element in its line, in characters, starting at 1.
    pub column: u32,
    /// A sentence without a subject, which is the element.
    #[serde(rename = "explanation")]
    pub reason: String,
    /// The number of elements of the scene that it is about.
    #[serde(rename = "elements")]
    pub n_elements: usize,
    /// The area of their boxes, in px²: of what is wasted, or sticks out.
    pub area: f64,
    /// How far the element sticks out, if that is the finding.
    pub outside: Option<Outside>,
}

impl From<boxwood_svg::Finding> for Finding {
    fn from(finding: boxwood_svg::Finding) -> Self {
        let boxwood_svg::Finding { kind, name, tag, path, line, column, reason, n_elements, area } = finding;
        let kind = FindingKind::Waste(kind);
        Self { kind, name, element: tag, path, line, column, reason, n_elements, area, outside: None }
    }
}

/// How far a box is beyond each edge of another one, in px. Zero where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Outside {
    /// Beyond the left edge.
    pub left: f64,
    /// Beyond the top edge.
    pub top: f64,
    /// Beyond the right edge.
    pub right: f64,
    /// Beyond the bottom edge.
    pub bottom: f64,
}

/// The distance by which ink may be outside, as a fraction of the longer side of the canvas or
/// `viewBox`: as much as `boxwood crop` leaves outside, and more than the rounding errors of boxes.
const TOLERANCE: f64 = 2e-4;

impl Outside {
    /// `None` if the box is inside, except for an error of this size.
    fn new(ink: Rect, inside: Rect, tolerance: f64) -> Option<Self> {
        let beyond = |distance: f64| if distance > tolerance { distance } else { 0.0 };
        let [left, top] = [inside.x0 - ink.x0, inside.y0 - ink.y0].map(beyond);
        let [right, bottom] = [ink.x1 - inside.x1, ink.y1 - inside.y1].map(beyond);
        let outside = Self { left, top, right, bottom };
        outside.named().next().is_some().then_some(outside)
    }

    /// The edges that the box is beyond, with the distances.
    fn named(self) -> impl Iterator<Item = (&'static str, f64)> {
        let Self { left, top, right, bottom } = self;
        let edges = [("left", left), ("top", top), ("right", right), ("bottom", bottom)];
        edges.into_iter().filter(|(_, distance)| *distance > 0.0)
    }
}

/// The shapes, images and texts of a drawing whose ink leaves the canvas, or the `viewBox` of the
/// root if it has one and that is requested. Clips inside of the root count.
fn sticking_out(drawing: &Drawing, of_view_box: bool) -> Vec<Finding> {
    let view_box = drawing.view_box().filter(|_| of_view_box);
    let (inside, place) = match view_box {
        Some(view_box) => (view_box, "viewBox"),
        None => (drawing.size.to_rect(), "canvas"),
    };
    let tolerance = TOLERANCE * inside.width().max(inside.height());
    let ink = ink_beyond_canvas(drawing);
    let sources = drawing.sources.iter().zip(ink).filter(|(source, _)| is_leaf(source));
    let finding = |(source, ink): (&Source, Option<(usize, Rect)>)| {
        let (n_elements, ink) = ink?;
        let outside = Outside::new(ink, inside, tolerance)?;
        let distances: Vec<_> =
            outside.named().map(|(edge, px)| format!("{} px {edge}", rounded(px))).collect();
        let Source { name, tag, path, line, column, .. } = source;
        Some(Finding {
            kind: FindingKind::SticksOut,
            name: name.clone(),
            element: tag.clone(),
            path: path.clone(),
            line: *line,
            column: *column,
            reason: format!("sticks out of the {place}: {}", distances.join(", ")),
            n_elements,
            area: ink.area() - overlap(ink, inside),
            outside: Some(outside),
        })
    };
    sources.filter_map(finding).collect()
}

fn is_leaf(source: &Source) -> bool {
    !matches!(source.kind, SourceKind::Svg | SourceKind::Group | SourceKind::TextPart)
}

/// For each source, the number of its own leaves that paint something, and their box inside of all
/// clips except for the canvas. `None` if nothing of it is painted.
fn ink_beyond_canvas(drawing: &Drawing) -> Vec<Option<(usize, Rect)>> {
    let mut scene = Scene::clone(&drawing.elements);
    // The first element is the clip of the canvas.
    if !scene.is_empty() {
        scene.set_box(0, Aabb::PLANE);
    }
    let boxes = boxwood_cpu::boxes(&scene).expect("the scene of a drawing is valid");
    let mut ink = vec![None; drawing.sources.len()];
    for (element, info) in drawing.table.iter().enumerate() {
        let bounds = boxes.clipped_boxes[element];
        if scene.kind(element) == ElementKind::Leaf && info.within == Within::Scene && !bounds.is_empty() {
            let Aabb { x0, y0, x1, y1 } = bounds;
            let bounds = Rect::new(x0.into(), y0.into(), x1.into(), y1.into());
            let ink: &mut Option<(usize, Rect)> = &mut ink[info.source as usize];
            *ink = Some(ink.map_or((1, bounds), |(n, union)| (n + 1, union.union(bounds))));
        }
    }
    ink
}

fn overlap(a: Rect, b: Rect) -> f64 {
    let overlap = a.intersect(b);
    if a.overlaps(b) { overlap.area() } else { 0.0 }
}

/// A distance with at most two decimals. One that is rounded to zero has all of its digits.
fn rounded(px: f64) -> String {
    let rounded = (px * 100.0).round() / 100.0;
    if rounded == 0.0 { px.to_string() } else { rounded.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_words_and_are_in_order() {
        assert!(FindingKind::all().all(|kind| kind.word().parse() == Ok(kind)));
        assert!(FindingKind::all().is_sorted());
        assert_eq!(FindingKind::all().count(), 8);
    }

    #[test]
    fn a_view_box_is_for_what_sticks_out() {
        let query = FindingsQuery { of_view_box: true, ..FindingsQuery::default() };
        assert_eq!(query.check(), Err(QueryError::ViewBoxWithoutSticksOut));
    }

    /// The `viewBox` does not contain the origin of the canvas.
    #[test]
    fn elements_that_paint_nothing_do_not_stick_out() {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50' \
            viewBox='0 0 10 10'>\
            <clipPath id='c'><rect x='50' width='1' height='1'/></clipPath>\
            <rect width='4' height='4' fill='none'/>\
            <rect width='0' height='4'/>\
            <rect width='4' height='4' clip-path='url(#c)'/>\
            <rect id='wide' x='-1' width='4' height='4'/>\
            </svg>";
        let drawing = boxwood_svg::load(text.as_bytes(), &boxwood_svg::Options::default());
        let drawing = drawing.expect("it is a drawing");
        let query = FindingsQuery { kinds: vec![FindingKind::SticksOut], of_view_box: true };
        let found = query.answer(&drawing).expect("the options go together");
        assert_eq!(found.iter().map(|finding| &*finding.name).collect::<Vec<_>>(), ["wide"]);
    }

    #[test]
    fn distances_are_beyond_each_edge() {
        let inside = Rect::new(0.0, 0.0, 10.0, 20.0);
        let outside = |ink| Outside::new(ink, inside, 0.1);
        assert_eq!(outside(Rect::new(-0.05, 0.0, 10.05, 20.05)), None);
        let found =
            outside(Rect::new(-1.0, 2.0, 10.0, 23.0)).map(|outside| outside.named().collect::<Vec<_>>());
        assert_eq!(found, Some(vec![("left", 1.0), ("bottom", 3.0)]));
        assert_eq!(overlap(Rect::new(5.0, 5.0, 15.0, 6.0), inside), 5.0);
        assert_eq!(overlap(Rect::new(15.0, 5.0, 16.0, 6.0), inside), 0.0);
    }
}
