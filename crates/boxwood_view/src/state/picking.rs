//! The sources under the pointer.

use super::State;
use crate::model::{HitTest, Model};

/// Boxes, and what is thinner, are under the pointer up to this many logical pixels away, so that
/// thin lines can be hit.
const TOLERANCE: f64 = 2.0;

impl State {
    /// The sources under the pointer, the top-most one first. The root is everywhere, so it is not
    /// among them. `None` if the pointer is not over the picture.
    pub(crate) fn picked(&self, model: &Model) -> Option<Vec<u32>> {
        let tolerance = TOLERANCE * self.view.scale_factor() / self.view.device_from_scene().scale;
        let mut picked = model.pick(self.pointer?, tolerance, self.hit_test);
        picked.retain(|source| *source != 0);
        Some(picked)
    }

    /// Switches between what is painted and boxes under the pointer.
    pub(super) fn switch_hit_test(&mut self) {
        let (hit_test, message) = match self.hit_test {
            HitTest::Paint => (HitTest::Boxes, "the pointer hits boxes"),
            HitTest::Boxes => (HitTest::Paint, "the pointer hits what is painted"),
        };
        self.hit_test = hit_test;
        self.notify(message.to_owned());
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

    /// Selects another source under the pointer. A selected group is where the first source inside
    /// of it is. Without a selected one among them, selects the top-most.
    fn select_picked(&mut self, model: &Model, next: impl Fn(usize, usize) -> usize) {
        match self.picked(model) {
            None => self.notify("point at the drawing first".to_owned()),
            Some(picked) if picked.is_empty() => self.notify("no element is under the pointer".to_owned()),
            Some(picked) => {
                // All sources are inside of the root.
                let selected = self.selected.filter(|selected| *selected != 0);
                let is_in_selected = |source: &u32| model.outward(*source).any(|of| Some(of) == selected);
                let exact = picked.iter().position(|source| Some(*source) == selected);
                let index = exact.or_else(|| picked.iter().position(is_in_selected));
                self.selected = Some(picked[index.map_or(0, |index| next(index, picked.len()))]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kurbo::Point;

    use crate::model::tests::{index, model};
    use crate::state::tests::state;

    #[test]
    fn the_next_source_follows_the_first_one_in_a_selected_group() {
        let model = model(
            r#"<rect id="low" width="50" height="50"/><rect id="a" width="50" height="50"/>
            <g id="g"><rect id="b" width="50" height="50"/></g><rect id="top" width="50" height="50"/>"#,
        );
        let mut state = state(1);
        state.pointer = Some(Point::new(9.0, 9.0));
        for (selected, below, above) in [("g", "a", "top"), ("b", "a", "top"), ("/svg", "top", "top")] {
            state.selected = Some(index(&model, selected));
            state.select_below(&model);
            assert_eq!(state.selected, Some(index(&model, below)), "below {selected}");
            state.selected = Some(index(&model, selected));
            state.select_above(&model);
            assert_eq!(state.selected, Some(index(&model, above)), "above {selected}");
        }
    }
}
