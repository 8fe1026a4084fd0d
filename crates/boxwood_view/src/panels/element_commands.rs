//! Commands about the selected element, which need the model.

use super::tree::Tree;
use crate::commands::Command;
use crate::model::{Model, rect};
use crate::state::State;

/// Runs the commands about elements that wait in the state.
pub(super) fn run(model: &Model, tree: &Tree, state: &mut State) {
    for command in state.take_element_commands() {
        match (command, state.selected) {
            (Command::SelectNext, selected) => select(tree.neighbour(selected, 1), state),
            (Command::SelectPrevious, selected) => select(tree.neighbour(selected, -1), state),
            (_, None) => state.notify("no element is selected: click one first".to_owned()),
            (Command::SelectParent, Some(selected)) => select(model.source(selected).parent, state),
            (Command::ToggleSelected, Some(selected)) => state.readability.hidden.toggle(selected),
            (Command::ZoomToSelected, Some(selected)) => {
                let facts = model.facts(selected);
                match rect(facts.clipped_box).or_else(|| rect(facts.own_box)) {
                    Some(rect) => state.view.zoom_to(rect),
                    None => state.notify("the selected element has no box".to_owned()),
                }
            }
            (other, Some(_)) => debug_assert!(false, "{other:?} is not about elements"),
        }
    }
}

/// Selects a source, if there is one.
fn select(source: Option<u32>, state: &mut State) {
    state.selected = source.or(state.selected);
}
