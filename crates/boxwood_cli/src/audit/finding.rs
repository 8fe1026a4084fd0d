//! What `boxwood audit` finds: waste, and elements that stick out of the canvas.

use boxwood_cpu::{Aabb, ElementKind, Scene};
use boxwood_svg::{Drawing, FindingKind, Source, SourceKind, Within};
use kurbo::Rect;
use serde::Serialize;

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A part of the drawing that is wasted.
    Waste(FindingKind),
    /// An element whose ink leaves the canvas or the `viewBox`.
    SticksOut,
}

impl Kind {
    /// The number of kinds.
    pub(super) const COUNT: usize = FindingKind::ALL.len() + 1;

    /// All kinds, in the order of a summary.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        FindingKind::ALL.into_iter().map(Self::Waste).chain([Self::SticksOut])
    }

    /// The position in [`all`](Self::all).
    pub(super) fn index(self) -> usize {
        match self {
            Self::Waste(kind) => kind as usize,
            Self::SticksOut => FindingKind::ALL.len(),
        }
    }

    /// The kind in one word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Waste(kind) => kind.word(),
            Self::SticksOut => "sticks-out",
        }
    }
}

/// Something in a drawing that is reported.
pub(super) struct Finding {
    pub(super) kind: Kind,
    /// The id of the element, or its path if it has none.
    pub(super) name: String,
    pub(super) tag: String,
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// A sentence without a subject, which is the element.
    pub(super) reason: String,
    /// The number of elements of the scene that it is about.
    pub(super) n_elements: usize,
    /// The area of their boxes, in px²: of what is wasted, or sticks out.
    pub(super) area: f64,
    /// How far the element sticks out, if that is the finding.
    pub(super) outside: Option<Outside>,
}

impl From<boxwood_svg::Finding> for Finding {
    fn from(finding: boxwood_svg::Finding) -> Self {
        let boxwood_svg::Finding { kind, name, tag, path, line, column, reason, n_elements, area } = finding;
        let kind = Kind::Waste(kind);
        Self { kind, name, tag, path, line, column, reason, n_elements, area, outside: None }
    }
}

/// How far a box is beyond each edge of another one, in px. Zero where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Outside {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// The part of the larger side of the canvas by which ink may be outside: as much as `boxwood crop`
/// leaves outside, and more than the rounding errors of boxes.
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
pub(super) fn sticking_out(drawing: &Drawing, of_view_box: bool) -> Vec<Finding> {
    let view_box = drawing.view_box().filter(|_| of_view_box);
    let (inside, place) = match view_box {
        Some(view_box) => (view_box, "viewBox"),
        None => (drawing.size.to_rect(), "canvas"),
    };
    let tolerance = TOLERANCE * inside.width().max(inside.height());
    let ink = ink_beyond_canvas(drawing);
    let sources = drawing.sources.iter().zip(ink).filter(|(source, _)| is_leaf(source));
    let finding = |(source, (n_elements, ink)): (&Source, (usize, Rect))| {
        let outside = Outside::new(ink, inside, tolerance)?;
        let distances: Vec<_> =
            outside.named().map(|(edge, px)| format!("{} px {edge}", rounded(px))).collect();
        let Source { name, tag, path, line, column, .. } = source;
        Some(Finding {
            kind: Kind::SticksOut,
            name: name.clone(),
            tag: tag.clone(),
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
/// clips except for the canvas.
fn ink_beyond_canvas(drawing: &Drawing) -> Vec<(usize, Rect)> {
    let mut scene = Scene::clone(&drawing.elements);
    // The first element is the clip of the canvas.
    if !scene.is_empty() {
        scene.set_box(0, Aabb::PLANE);
    }
    let boxes = boxwood_cpu::boxes(&scene).expect("the scene of a drawing is valid");
    let mut ink = vec![(0, Rect::ZERO); drawing.sources.len()];
    for (element, info) in drawing.table.iter().enumerate() {
        let bounds = boxes.clipped_boxes[element];
        if scene.kind(element) == ElementKind::Leaf && info.within == Within::Scene && !bounds.is_empty() {
            let Aabb { x0, y0, x1, y1 } = bounds;
            let bounds = Rect::new(x0.into(), y0.into(), x1.into(), y1.into());
            let (n, union) = &mut ink[info.source as usize];
            *union = if *n == 0 { bounds } else { union.union(bounds) };
            *n += 1;
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
    fn kinds_are_indexed_in_order() {
        assert_eq!(Kind::all().map(Kind::index).collect::<Vec<_>>(), (0..Kind::COUNT).collect::<Vec<_>>());
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
