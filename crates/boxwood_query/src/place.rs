//! What is at a place, with the clips around it.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use boxwood_cpu::{Aabb, ElementKind, Picker, Place};
use boxwood_svg::{Drawing, Explanation, Hits, Step, explain};
use kurbo::{Affine, Point};

use crate::clips::ClipAround;
use crate::numbers::transformed;
use crate::rows::BoxRow;
use crate::words::BoxKind;

/// Why numbers do not form a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// A point is not two finite numbers.
    #[error("it must be two numbers, such as 10,20")]
    Point,
    /// A coordinate of a point is not an `f32`.
    #[error("it is too far away")]
    TooFar,
    /// A rectangle is not four finite numbers, or has no area.
    #[error("it must be four numbers with a positive width and height, such as 10,20,30,40")]
    Area,
}

/// The place of a point: its x and y.
///
/// # Errors
///
/// A coordinate is not finite, or beyond the largest `f32`.
pub fn place_at([x, y]: [f64; 2]) -> Result<Place, PlaceError> {
    if !(x.is_finite() && y.is_finite()) {
        return Err(PlaceError::Point);
    }
    #[expect(clippy::cast_possible_truncation, reason = "boxes have f32")]
    let point = [x as f32, y as f32];
    if point.iter().all(|at| at.is_finite()) { Ok(Place::Point(point)) } else { Err(PlaceError::TooFar) }
}

/// The place of a rectangle: its x, y, width, and height.
///
/// # Errors
///
/// A number is not finite, or the width or the height is not positive.
pub fn place_within([x, y, width, height]: [f64; 4]) -> Result<Place, PlaceError> {
    let is_finite = [x, y, width, height].into_iter().all(f64::is_finite);
    if !(is_finite && width > 0.0 && height > 0.0) {
        return Err(PlaceError::Area);
    }
    let area = Aabb::new(x, y, x + width, y + height).expect("a sum of finite numbers is not NaN");
    Ok(Place::Area(area))
}

/// Finds what is at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finder {
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
    /// A finder for a place in another unit than px of the scene.
    pub(crate) fn new(place: Place, is_precise: bool, scene_from_unit: Affine) -> Self {
        let place = match place {
            place if scene_from_unit == Affine::IDENTITY => place,
            Place::Point([x, y]) => {
                let point = scene_from_unit * Point::new(x.into(), y.into());
                #[expect(clippy::cast_possible_truncation, reason = "boxes have f32")]
                Place::Point([point.x as f32, point.y as f32])
            }
            Place::Area(area) => Place::Area(transformed(area, scene_from_unit)),
        };
        Self { place, is_precise }
    }

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

    /// Keeps the rows of the elements that are at the place, the top-most first, and adds the clips
    /// around each element.
    pub(crate) fn retain(self, rows: &mut Vec<BoxRow<'_>>, drawing: &Drawing, text_leaves: &[(u32, usize)]) {
        let Found { with_leaf, around } = self.find(drawing, text_leaves);
        rows.retain(|row| match (row.kind, &around) {
            _ if !self.place.is_in(row.bounds) => false,
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
        for row in rows {
            row.clips = Some(clips.get(&row.order).cloned().unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_finite_numbers() {
        assert_eq!(place_at([-1.5, 2.0]), Ok(Place::Point([-1.5, 2.0])));
        assert_eq!(
            place_within([1.0, 2.0, 3.0, 4.0]),
            Ok(Place::Area(Aabb { x0: 1.0, y0: 2.0, x1: 4.0, y1: 6.0 }))
        );
        assert_eq!(place_at([f64::NAN, 1.0]), Err(PlaceError::Point));
        assert_eq!(place_at([1e300, 1.0]), Err(PlaceError::TooFar));
        assert_eq!(place_within([1.0, 2.0, 0.0, 4.0]), Err(PlaceError::Area));
        assert_eq!(place_within([1.0, 2.0, 3.0, f64::INFINITY]), Err(PlaceError::Area));
        assert!(place_within([f64::MAX, 2.0, f64::MAX, 4.0]).is_ok());
    }
}
