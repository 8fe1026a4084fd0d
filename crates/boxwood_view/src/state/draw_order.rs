//! Stepping through the elements of the scene in the order in which they are painted.

use crate::model::Model;

/// The position in the order of painting. Elements after it are not painted yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DrawOrder {
    /// The element, an index of the scene. `None` while nobody steps.
    pub(crate) element: Option<usize>,
}

impl DrawOrder {
    /// Starts at the last element of a source, or at the last element of the scene; or stops.
    pub(crate) fn toggle(&mut self, model: &Model, selected: Option<u32>) {
        self.element = match self.element {
            Some(_) => None,
            None => last(model, selected),
        };
    }

    /// Goes forward or backward, within the scene. Starts if nobody steps.
    pub(crate) fn step(&mut self, model: &Model, selected: Option<u32>, steps: isize) {
        let n_elements = model.drawing.table.len();
        self.element = match self.element {
            Some(element) => Some(element.saturating_add_signed(steps).min(n_elements.saturating_sub(1))),
            None => last(model, selected),
        };
    }
}

/// The last element of a source, if it has one, or of the scene.
fn last(model: &Model, source: Option<u32>) -> Option<usize> {
    let of_source = source.and_then(|source| model.facts(source).elements.end.checked_sub(1));
    of_source.or(model.drawing.table.len().checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{index, model};

    #[test]
    fn steps_start_at_the_selected_source_and_stay_within_the_scene() {
        // The viewport begins, a, b, the viewport ends.
        let model = model(r#"<rect id="a" width="9" height="9"/><rect id="b" width="9" height="9"/>"#);
        let mut order = DrawOrder::default();
        order.step(&model, Some(index(&model, "a")), 1);
        assert_eq!(order.element, Some(1));
        for (steps, expected) in [(1, 2), (1, 3), (1, 3), (-1, 2), (-5, 0), (-1, 0)] {
            order.step(&model, None, steps);
            assert_eq!(order.element, Some(expected));
        }
        order.toggle(&model, None);
        assert_eq!(order.element, None);
        order.toggle(&model, None);
        assert_eq!(order.element, Some(3));
    }
}
