//! `--at`, `--precise`, and `--within`: what is at a place, with the clips around it.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use boxwood_cpu::{Aabb, ElementKind, Picker, Place};
use boxwood_svg::{Clip, Drawing, Explanation, Hits, Source, Step, explain};
use clap::Args;
use kurbo::{Affine, Point};
use serde::Serialize;

use super::numbers::transformed;
use super::rows::{BoxKind, ElementRow};
use crate::explain::effect_of;

/// A place in the scene.
#[derive(Clone, Debug, Args)]
pub(super) struct PlaceArgs {
    /// Print what is at this point, the top-most first
    ///
    /// Prints each element with a leaf whose clipped box contains the point, and each group whose
    /// group box does, with the clips around it. A group comes after everything inside of it. A
    /// point on the right or bottom edge of a box is outside. Coordinates are in --unit. If nothing
    /// is there, the exit code is 1.
    ///
    /// The rows have the kinds `clipped` and `group`. So this cannot be combined with --kind,
    /// --include or --query-all, nor with --within.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = point,
        conflicts_with_all = ["kind", "include", "query_all", "within"])]
    at: Option<Place>,
    /// Print only what is painted at the point of --at
    ///
    /// A box is larger than the paint inside of it. This tests outlines, strokes, clip paths and
    /// masks, and lists a group only if something inside of it is painted there. The result of a
    /// filter counts everywhere in its box, and so do the transparent parts of gradients, patterns
    /// and images. What is transparent everywhere has no box, and is not listed.
    ///
    /// This cannot be combined with --within.
    // clap drops the requirement if an option that conflicts with --at is there.
    #[arg(long, requires = "at", conflicts_with = "within")]
    precise: bool,
    /// Print what overlaps this rectangle
    ///
    /// This is like --at. A box that only touches the rectangle does not overlap it. A box is
    /// larger than the paint inside of it, so an element may be listed that paints nothing there.
    ///
    /// This cannot be combined with --kind, --include, --query-all or --at.
    #[arg(long, value_name = "X,Y,W,H", allow_hyphen_values = true, value_parser = area,
        conflicts_with_all = ["kind", "include", "query_all"])]
    within: Option<Place>,
}

impl PlaceArgs {
    pub(super) fn place(&self) -> Option<Place> {
        self.at.or(self.within)
    }

    /// The answer if nothing is there.
    pub(super) fn nothing(&self) -> &'static str {
        if self.precise { "nothing is painted there" } else { "nothing is there" }
    }

    /// The place, and how to find what is there.
    pub(super) fn finder(&self, scene_from_unit: Affine) -> Option<Finder> {
        let place = match self.place()? {
            place if scene_from_unit == Affine::IDENTITY => place,
            Place::Point([x, y]) => {
                let point = scene_from_unit * Point::new(x.into(), y.into());
                #[expect(clippy::cast_possible_truncation, reason = "boxes have f32")]
                Place::Point([point.x as f32, point.y as f32])
            }
            Place::Area(area) => Place::Area(transformed(area, scene_from_unit)),
        };
        Some(Finder { place, is_precise: self.precise })
    }
}

/// The numbers in a list that is separated by commas.
fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let numbers: Option<Vec<_>> = text.split(',').map(number).collect();
    numbers?.try_into().ok()
}

fn point(text: &str) -> Result<Place, &'static str> {
    let [x, y] = numbers(text).ok_or("it must be two numbers, such as 10,20")?;
    #[expect(clippy::cast_possible_truncation, reason = "boxes have f32")]
    let point = [x as f32, y as f32];
    if point.iter().all(|at| at.is_finite()) { Ok(Place::Point(point)) } else { Err("it is too far away") }
}

fn area(text: &str) -> Result<Place, &'static str> {
    let rectangle = numbers(text).filter(|[_, _, width, height]| *width > 0.0 && *height > 0.0);
    let [x, y, width, height] =
        rectangle.ok_or("it must be four numbers with a positive width and height, such as 10,20,30,40")?;
    let area = Aabb::new(x, y, x + width, y + height).map_err(|_| "it is too large")?;
    Ok(Place::Area(area))
}

/// A clip around an element.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ClipAround {
    /// `viewport`, `clip-path`, or `mask`.
    effect: &'static str,
    /// The id of the clip path or mask.
    id: Option<String>,
    /// The name of the element that it belongs to.
    of: String,
    line: u32,
    column: u32,
}

impl ClipAround {
    fn new(clip: &Clip, Source { name, line, column, .. }: &Source) -> Self {
        let (effect, id) = effect_of(Some(clip));
        let (id, of) = (id.map(str::to_owned), name.clone());
        Self { effect, id, of, line: *line, column: *column }
    }

    /// The clip for people, such as `clip-path #c of g`.
    pub(super) fn text(&self) -> String {
        let id = self.id.as_ref().map_or_else(String::new, |id| format!(" #{id}"));
        format!("{}{id} of {}", self.effect, self.of)
    }
}

/// Finds what is at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finder {
    place: Place,
    /// Whether only what is painted at the point is there.
    is_precise: bool,
}

/// The sources that are at a place.
struct Found {
    /// Those with a leaf there.
    with_leaf: HashSet<usize>,
    /// These and those around them, if this is known.
    around: Option<HashSet<usize>>,
}

impl Finder {
    fn find(&self, drawing: &Drawing, text_leaves: &[(u32, usize)]) -> Found {
        let (scene, boxes, mut picker) = (&drawing.elements, drawing.boxes(), Picker::new());
        let picked: HashSet<usize> = match self.place {
            Place::Point([x, y]) if self.is_precise => {
                let (hits, point) = (Hits::new(drawing), Point::new(x.into(), y.into()));
                let is_hit = |element, _| hits.is_hit(drawing, element, point, 0.0);
                let found = picker.pick_precise(scene, boxes, self.place, is_hit).iter().copied();
                // The sources around a leaf follow from it.
                found.filter(|element| scene.kind(*element) == ElementKind::Leaf).collect()
            }
            place => picker.pick(scene, boxes, place).iter().copied().collect(),
        };
        let of_table = picked.iter().map(|element| drawing.table[*element].source);
        let of_parts = text_leaves.iter().filter_map(|(part, leaf)| picked.contains(leaf).then_some(*part));
        let with_leaf: HashSet<usize> = of_table.chain(of_parts).map(|source| source as usize).collect();
        let around = self.is_precise.then(|| {
            let outward = |source: &usize| drawing.sources[*source].parent.map(|parent| parent as usize);
            let leaves = with_leaf.iter().copied();
            leaves.flat_map(|source| std::iter::successors(Some(source), outward)).collect()
        });
        Found { with_leaf, around }
    }
}

/// Keeps the rows of the elements that are at a place, the top-most first, and returns the clips
/// around the element of each row, the innermost first.
pub(super) fn retain_at(
    rows: &mut Vec<ElementRow<'_>>,
    finder: Finder,
    drawing: &Drawing,
    text_leaves: &[(u32, usize)],
) -> Vec<Vec<ClipAround>> {
    let Found { with_leaf, around } = finder.find(drawing, text_leaves);
    rows.retain(|row| match (row.kind, &around) {
        _ if !finder.place.is_in(row.bounds) => false,
        (Some(BoxKind::Clipped), _) => with_leaf.contains(&row.order),
        (_, Some(around)) => around.contains(&row.order),
        // A group without a node has the box that its node would have.
        (_, None) => true,
    });
    rows.sort_by_key(|row| Reverse(row.order));
    let sources: BTreeSet<u32> = rows.iter().filter_map(|row| u32::try_from(row.order).ok()).collect();
    let sources: Vec<u32> = sources.into_iter().collect();
    let clips = |explanation: Explanation| {
        let steps = explanation.parts.into_iter().next().map_or_else(Vec::new, |part| part.steps);
        let clip = |step: &Step| {
            let source = &drawing.sources[step.source as usize];
            step.clip.as_ref().map(|clip| ClipAround::new(clip, source))
        };
        (explanation.source as usize, steps.iter().filter_map(clip).collect())
    };
    let clips: HashMap<usize, Vec<_>> = explain(drawing, &sources).into_iter().map(clips).collect();
    rows.iter().map(|row| clips.get(&row.order).cloned().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_finite_numbers() {
        assert_eq!(point("-1.5, 2"), Ok(Place::Point([-1.5, 2.0])));
        assert_eq!(area("1,2,3,4"), Ok(Place::Area(Aabb { x0: 1.0, y0: 2.0, x1: 4.0, y1: 6.0 })));
        for text in ["", "1", "1,2,3", "1,x", "nan,1", "1,inf", "1e300,1", "1 2"] {
            assert!(point(text).is_err(), "{text}");
        }
        for text in ["1,2", "1,2,0,4", "1,2,3,-4", "1,2,3,1e999"] {
            assert!(area(text).is_err(), "{text}");
        }
    }
}
