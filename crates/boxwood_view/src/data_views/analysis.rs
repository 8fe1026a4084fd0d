//! The facts about a drawing that a view of the data shows.

use boxwood::native::Gpu;
use boxwood_cpu::{Aabb, ElementKind};
use boxwood_render::FrameBoxes;
use kurbo::TranslateScale;

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
    /// The map from scene space to the space of the marks.
    pub(crate) marks_from_scene: TranslateScale,
    /// The sources that the view is about.
    pub(crate) entries: Vec<Entry>,
}

/// Everything that a view can be about.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) model: &'a Model,
    /// The version of the file before.
    pub(crate) previous: Option<&'a Model>,
    /// The boxes that are counted instead of those of the scene.
    pub(crate) frame: Option<&'a FrameBoxes>,
    /// The adapter that is compared with the specification. `None` without one.
    pub(crate) gpu: Option<&'a Gpu>,
}

impl Analysis {
    /// Finds the facts for a view.
    pub(crate) fn new(view: DataView, Subject { model, previous, frame, gpu }: Subject<'_>) -> Self {
        match view {
            DataView::Overdraw | DataView::Tiles => Self::of_boxes(view, model, frame),
            DataView::Layers => layers::analysis(model),
            DataView::Occluded => occluded::analysis(model),
            DataView::Damage => damage::analysis(previous, model),
            DataView::Check => check::analysis(gpu, model),
        }
    }

    /// Whether the view counts boxes, instead of showing marks in classes.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self.view, DataView::Overdraw | DataView::Tiles)
    }

    /// An analysis with one sentence and no marks.
    pub(super) fn saying(view: DataView, sentence: String) -> Self {
        Self {
            view,
            summary: vec![sentence],
            classes: Vec::new(),
            marks: Vec::new(),
            marks_from_scene: TranslateScale::default(),
            entries: Vec::new(),
        }
    }

    /// The clipped boxes of all leaves, which are counted per pixel or per tile.
    fn of_boxes(view: DataView, model: &Model, frame: Option<&FrameBoxes>) -> Self {
        let clipped_boxes = frame.map_or(&model.boxes().clipped_boxes, |frame| &frame.clipped_boxes);
        let marks_from_scene = frame.map_or_else(TranslateScale::default, |frame| frame.view);
        let boxes: Vec<_> = (0..model.drawing.table.len())
            .filter(|element| model.drawing.elements.kind(*element) == ElementKind::Leaf)
            .filter_map(|element| Some((element, *clipped_boxes.get(element)?)))
            .filter(|(_, bounds)| !bounds.is_empty())
            .collect();
        let page = model.drawing.size.area() * marks_from_scene.scale.powi(2);
        let painted: f64 = boxes.iter().map(|(_, bounds)| area(*bounds)).sum();
        let share = if page > 0.0 { painted / page } else { 0.0 };
        let source = if frame.is_some() { "in the frame " } else { "" };
        let sentence = format!(
            "{} clipped boxes of leaves {source}have {share:.2} times the area of the page.",
            boxes.len()
        );
        let mark = |(element, bounds): (usize, Aabb)| Mark {
            bounds,
            class: 0,
            source: Some(model.drawing.table[element].source),
        };
        let marks = boxes.into_iter().map(mark).collect();
        Self { marks, marks_from_scene, ..Self::saying(view, sentence) }
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
