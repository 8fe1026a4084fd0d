//! The sources under the pointer.

use super::State;
use crate::model::Model;

/// Sources up to this many logical pixels away from the pointer are under it, so that thin lines
/// can be hit.
const TOLERANCE: f64 = 2.0;

impl State {
    /// The sources under the pointer, the top-most one first. The root is everywhere, so it is not
    /// among them. `None` if the pointer is not over the picture.
    pub(crate) fn picked(&self, model: &Model) -> Option<Vec<u32>> {
        let tolerance = TOLERANCE * self.view.scale_factor() / self.view.device_from_scene().scale;
        let mut picked = model.pick(self.pointer?, tolerance);
        picked.retain(|source| *source != 0);
        Some(picked)
    }

    /// Selects the source under the pointer that is below the selected one, and after the last one
    /// the first.
    pub(crate) fn select_below(&mut self, model: &Model) {
        self.select_picked(model, |index, n_picked| (index + 1) % n_picked);
    }

    /// Selects the source under the pointer that is above the selected one, and before the first
    /// one the last.
    pub(crate) fn select_above(&mut self, model: &Model) {
        self.select_picked(model, |index, n_picked| (index + n_picked - 1) % n_picked);
    }

    /// Selects another source under the pointer. Without a selected one among them, selects the
    /// top-most.
    fn select_picked(&mut self, model: &Model, next: impl Fn(usize, usize) -> usize) {
        match self.picked(model) {
            None => self.notify("point at the drawing first".to_owned()),
            Some(picked) if picked.is_empty() => self.notify("no element is under the pointer".to_owned()),
            Some(picked) => {
                let index = picked.iter().position(|source| Some(*source) == self.selected);
                self.selected = Some(picked[index.map_or(0, |index| next(index, picked.len()))]);
            }
        }
    }
}
