//! Questions about boxes, and their answers.

use boxwood_cpu::Place;
use boxwood_svg::{Drawing, Include, Shown};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::SCHEMA;
use crate::numbers::{in_device, transformed};
use crate::place::Finder;
use crate::rows::{BoxRow, Content, ink_rows, object_rows, unlisted_rows};
use crate::units::Unit;
use crate::wanted::{NotFound, Search, Wanted};
use crate::words::{BoxKind, Space};

/// A question about the boxes of a drawing. The default one is about all ink boxes of all elements.
///
/// ```
/// use boxwood_query::{BoxKind, BoxesQuery, Wanted};
///
/// let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
///     <rect id="r" x="90" y="10" width="30" height="20"/></svg>"#;
/// let drawing = boxwood_svg::load(svg, &boxwood_svg::Options::default())?;
/// let wanted = Wanted { ids: vec!["r".to_owned()], ..Wanted::default() };
/// let query = BoxesQuery { kinds: vec![BoxKind::Clipped], wanted, ..BoxesQuery::default() };
/// let answer = query.answer(&drawing)?;
/// assert_eq!(answer.rows[0].bounds.to_string(), "(90, 10, 100, 30)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxesQuery {
    /// Kinds of ink box. Empty for all of them.
    pub kinds: Vec<BoxKind>,
    /// Sets of parts of object boxes, one box per set. Empty for ink boxes.
    pub include: Vec<Include>,
    /// The space of the boxes.
    pub space: Space,
    /// Pixels per CSS pixel in [device space](Space::Device). 1 if it is `None`.
    pub zoom: Option<f64>,
    /// The unit of the boxes, and of [`place`](Self::place), in the [scene](Space::Scene).
    pub unit: Unit,
    /// The elements with rows.
    pub wanted: Wanted,
    /// Selects the clipped boxes and group boxes [at a point](crate::place_at) or [within a
    /// rectangle](crate::place_within), the top-most first.
    pub place: Option<Place>,
    /// Whether only what is painted at the point counts, and not its box.
    pub precise: bool,
}

/// The options of a question contradict each other. The messages name them as its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A place with the space [`Local`](Space::Local).
    #[error(
        "at and within are for boxes in the space of the scene or of the device: leave the space local out"
    )]
    PlaceInLocalSpace,
    /// Ink boxes in the space [`Local`](Space::Local).
    #[error("the space local is for object boxes: add include")]
    InkInLocalSpace,
    /// A set of parts without a part that has a box.
    #[error("the part clipped clips other parts, and there are none: add fill, stroke or markers")]
    NoParts,
    /// A unit in another space than [`Scene`](Space::Scene).
    #[error("the unit is for numbers in the space of the scene: leave it out")]
    UnitOutsideScene,
    /// A zoom in another space than [`Device`](Space::Device).
    #[error("the zoom is for the space device")]
    ZoomOutsideDevice,
    /// A zoom that is not a positive number.
    #[error("the zoom must be a positive number")]
    Zoom,
    /// Kinds of ink box with parts of object boxes, or [`BoxKind::Object`] as a kind of ink box.
    #[error("kinds are for ink boxes, and include is for object boxes: leave one of them out")]
    KindsOfObjects,
    /// A place with kinds of box or with parts.
    #[error("at and within are for clipped boxes and group boxes: leave kinds and include out")]
    KindsAtPlace,
    /// A precise search without a point.
    #[error("precise is for at")]
    PreciseWithoutPoint,
    /// A comparison with the `viewBox` without the kind of finding that it is for.
    #[error("the viewBox is for the kind sticks-out: add it")]
    ViewBoxWithoutSticksOut,
}

impl BoxesQuery {
    /// Checks that the options have a meaning together.
    ///
    /// # Errors
    ///
    /// Two of them contradict each other.
    pub fn check(&self) -> Result<(), QueryError> {
        let is_set_of_none = |set: &Include| !(set.fill || set.stroke || set.markers);
        let are_objects = !self.include.is_empty();
        let errors = [
            (self.space == Space::Local && self.place.is_some(), QueryError::PlaceInLocalSpace),
            (self.space == Space::Local && !are_objects, QueryError::InkInLocalSpace),
            (self.include.iter().any(is_set_of_none), QueryError::NoParts),
            (self.unit != Unit::Px && self.space != Space::Scene, QueryError::UnitOutsideScene),
            (self.place.is_some() && (are_objects || !self.kinds.is_empty()), QueryError::KindsAtPlace),
            (
                self.kinds.contains(&BoxKind::Object) || (are_objects && !self.kinds.is_empty()),
                QueryError::KindsOfObjects,
            ),
            (self.precise && !matches!(self.place, Some(Place::Point(_))), QueryError::PreciseWithoutPoint),
            (self.zoom.is_some_and(|zoom| !(zoom.is_finite() && zoom > 0.0)), QueryError::Zoom),
            (self.zoom.is_some() && self.space != Space::Device, QueryError::ZoomOutsideDevice),
        ];
        errors.into_iter().find_map(|(is_wrong, error)| is_wrong.then_some(error)).map_or(Ok(()), Err)
    }

    /// The names of the boxes, of their space and of their unit.
    pub fn naming(&self) -> Naming {
        let vocabulary = if self.include.is_empty() { "ink" } else { "object" };
        Naming { vocabulary, space: self.space, unit: self.unit }
    }

    /// Answers the question for a drawing. The boxes of the drawing are computed on the CPU, unless
    /// [`Drawing::keep_boxes`] was called.
    ///
    /// # Errors
    ///
    /// Those of [`check`](Self::check).
    pub fn answer<'a>(&self, drawing: &'a Drawing) -> Result<Answer<'a>, QueryError> {
        self.check()?;
        let text_leaves = drawing.leaves_of_text_parts();
        let search = self.wanted.search(drawing);
        let mut rows = self.rows(drawing, &text_leaves, &search);
        rows.retain(|row| if self.wanted.is_empty() { row.is_listed } else { search.is_wanted(row.order) });
        let unit_from_scene = self.unit.unit_from_scene(drawing.user_from_scene());
        if let Some(place) = self.place {
            let finder = Finder::new(place, self.precise, unit_from_scene.inverse());
            finder.retain(&mut rows, drawing, &text_leaves);
        }
        if self.unit != Unit::Px {
            rows.iter_mut().for_each(|row| row.bounds = transformed(row.bounds, unit_from_scene));
        }
        if self.space == Space::Device {
            rows.iter_mut().for_each(|row| row.bounds = in_device(row.bounds, self.zoom.unwrap_or(1.0)));
        }
        Ok(Answer { naming: self.naming(), drawing, rows, missing: search.missing })
    }

    /// The rows of all elements, in px of the scene or in local space. Those of elements that are
    /// not wanted may have no boxes.
    fn rows<'a>(
        &self,
        drawing: &'a Drawing,
        text_leaves: &[(u32, usize)],
        search: &Search,
    ) -> Vec<BoxRow<'a>> {
        let sets = self.sets();
        let mut rows = if sets.is_empty() {
            let content = Content {
                sources: &drawing.sources,
                table: &drawing.table,
                text_leaves,
                scene: &drawing.elements,
            };
            ink_rows(content, drawing.boxes(), &self.ink_kinds(), &drawing.unpainted())
        } else {
            let space = match self.space {
                Space::Local => boxwood_svg::Space::Local,
                Space::Scene | Space::Device => boxwood_svg::Space::Scene,
            };
            object_rows(drawing, &sets, space, |order| search.is_wanted(order))
        };
        rows.extend(unlisted_rows(drawing.unlisted(), drawing.sources.len(), &sets));
        rows
    }

    /// The kinds of ink box, each once, in the order of the rows.
    fn ink_kinds(&self) -> Vec<BoxKind> {
        let is_wanted = |kind: &BoxKind| match self.place {
            Some(_) => matches!(kind, BoxKind::Clipped | BoxKind::Group),
            None => self.kinds.is_empty() || self.kinds.contains(kind),
        };
        BoxKind::INK.into_iter().filter(is_wanted).collect()
    }

    /// The sets of parts, each once.
    fn sets(&self) -> Vec<Include> {
        let mut sets = Vec::new();
        for set in &self.include {
            if !sets.contains(set) {
                sets.push(*set);
            }
        }
        sets
    }
}

/// The names of the boxes, of their space, and of their unit, which every output contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Naming {
    /// `ink` or `object`.
    pub vocabulary: &'static str,
    /// The space.
    pub space: Space,
    /// The unit of all numbers. In device space, these are pixels of a picture.
    pub unit: Unit,
}

/// The boxes of a drawing.
///
/// In JSON, it has the members `schema`, `vocabulary`, `space`, and `unit` of the command's
/// document, and the members `width`, `height`, `warnings`, and `rows` of a file in it.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// The names of the boxes, of their space and of their unit.
    pub naming: Naming,
    /// The drawing.
    pub drawing: &'a Drawing,
    /// The boxes in document order, and then those of elements that are not drawn. At a place, the
    /// top-most first.
    pub rows: Vec<BoxRow<'a>>,
    /// The ids and selectors that no element of the drawing has.
    pub missing: Vec<NotFound>,
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = serializer.serialize_struct("Answer", 8)?;
        answer.serialize_field("schema", &SCHEMA)?;
        answer.serialize_field("vocabulary", self.naming.vocabulary)?;
        answer.serialize_field("space", &self.naming.space)?;
        answer.serialize_field("unit", &self.naming.unit)?;
        answer.serialize_field("width", &self.drawing.size.width)?;
        answer.serialize_field("height", &self.drawing.size.height)?;
        answer.serialize_field("warnings", &warnings(self.drawing).collect::<Vec<_>>())?;
        answer.serialize_field("rows", &self.rows)?;
        answer.end()
    }
}

/// A warning that some boxes are not as SVG prescribes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoxWarning<'a> {
    /// The feature, and its effect on the boxes.
    pub message: String,
    /// How often the feature occurs.
    pub count: usize,
    /// The first element that has it, or the first place in CSS.
    pub first: &'a str,
}

/// The warnings about the boxes of a drawing.
pub fn warnings(drawing: &Drawing) -> impl Iterator<Item = BoxWarning<'_>> {
    drawing.warnings.iter().filter_map(|warning| {
        let message = warning.message(Shown::BOXES)?;
        Some(BoxWarning { message, count: warning.count, first: &warning.first })
    })
}

#[cfg(test)]
mod tests;
