//! The facts about a drawing that a view of the data shows.

use boxwood::native::Gpu;
use boxwood_cpu::{Aabb, ElementKind};

use super::{DataView, check, damage, layers, occluded};
use crate::model::Model;

/// Something in the drawing that a view marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    pub(crate) bounds: Aabb,
    /// The index of its class in the legend.
    pub(crate) class: usize,
    pub(crate) source: Option<u32>,
}

/// A fact about a source, for a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) source: u32,
    pub(crate) text: String,
}

/// The facts about a drawing that a view of the data shows.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) view: DataView,
    /// Sentences with the numbers of the whole drawing.
    pub(crate) summary: Vec<String>,
    /// The names of the classes of marks, with their numbers. Empty if boxes are counted.
    pub(crate) classes: Vec<String>,
    /// The marks, from the bottom to the top. Without classes, the boxes that are counted.
    pub(crate) marks: Vec<Mark>,
    /// The sources that the view is about.
    pub(crate) entries: Vec<Entry>,
}

/// Everything that a view can be about.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) model: &'a Model,
    /// The version of the file before.
    pub(crate) previous: Option<&'a Model>,
    /// The adapter that is compared with the specification. `None` without one.
    pub(crate) gpu: Option<&'a Gpu>,
}

impl Analysis {
    /// Finds the facts for a view.
    pub(crate) fn new(view: DataView, Subject { model, previous, gpu }: Subject<'_>) -> Self {
        match view {
            DataView::Overdraw | DataView::Tiles => Self::of_boxes(view, model),
            DataView::Layers => layers::analysis(model),
            DataView::Occluded => occluded::analysis(model),
            DataView::Damage => damage::analysis(previous, model),
            DataView::Check => check::analysis(gpu, model),
        }
    }

    /// An analysis without marks that says something.
    pub(super) fn saying(view: DataView, sentence: String) -> Self {
        Self { view, summary: vec![sentence], classes: Vec::new(), marks: Vec::new(), entries: Vec::new() }
    }

    /// The clipped boxes of all leaves, which are counted per pixel or per tile.
    fn of_boxes(view: DataView, model: &Model) -> Self {
        let boxes: Vec<_> = (0..model.drawing.table.len())
            .filter(|element| model.drawing.elements.kind(*element) == ElementKind::Leaf)
            .map(|element| (element, model.boxes.clipped_boxes[element]))
            .filter(|(_, bounds)| !bounds.is_empty())
            .collect();
        let page = model.drawing.size.area();
        let painted: f64 = boxes.iter().map(|(_, bounds)| area(*bounds)).sum();
        let share = if page > 0.0 { painted / page } else { 0.0 };
        let sentence =
            format!("{} clipped boxes of leaves have {share:.2} times the area of the page.", boxes.len());
        let mark = |(element, bounds): (usize, Aabb)| Mark {
            bounds,
            class: 0,
            source: Some(model.drawing.table[element].source),
        };
        let marks = boxes.into_iter().map(mark).collect();
        Self { marks, ..Self::saying(view, sentence) }
    }
}

/// The area of a box in scene units, without overflow.
pub(super) fn area(bounds: Aabb) -> f64 {
    let Aabb { x0, y0, x1, y1 } = bounds;
    if bounds.is_empty() { 0.0 } else { (f64::from(x1) - f64::from(x0)) * (f64::from(y1) - f64::from(y0)) }
}

/// A number with its noun, such as `1 layer`.
pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
