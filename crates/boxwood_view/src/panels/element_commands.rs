//! Commands about the selected element, which need the model.

use egui::Context;

use super::tree::Tree;
use crate::commands::Command;
use crate::model::{Model, rect};
use crate::state::{Request, State};

/// Runs the commands about elements that wait in the state.
pub(super) fn run(ctx: &Context, model: &Model, tree: &Tree, state: &mut State) {
    for command in state.take_element_commands() {
        match (command, state.selected) {
            (Command::SelectNext, selected) => select(tree.neighbour(selected, 1), state),
            (Command::SelectPrevious, selected) => select(tree.neighbour(selected, -1), state),
            (Command::SelectBelow, _) => state.select_below(model),
            (Command::SelectAbove, _) => state.select_above(model),
            (Command::ToggleOrder, selected) => state.draw_order.toggle(model, selected),
            (Command::StepForward, _) => step(model, 1, state),
            (Command::StepBackward, _) => step(model, -1, state),
            (_, None) => state.notify("no element is selected: click one first".to_owned()),
            (Command::SelectParent, Some(selected)) => select(model.source(selected).parent, state),
            (Command::ToggleSelected, Some(selected)) => state.readability.hidden.toggle(selected),
            (Command::Copy(format), Some(selected)) => match format.text(model, selected) {
                Some(text) => {
                    ctx.copy_text(text);
                    state.notify(format!("copied {}", format.name()));
                }
                None => state.notify("the clipped box of the selected element is empty".to_owned()),
            },
            (Command::OpenInEditor, Some(selected)) => {
                let source = model.source(selected);
                state.request(Request::OpenInEditor([source.line, source.column]));
            }
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

/// Steps through the draw order, and selects the source of the element there.
fn step(model: &Model, steps: isize, state: &mut State) {
    state.draw_order.step(model, state.selected, steps);
    state.selected = state.draw_order.element.map(|element| model.drawing.table[element].source);
}

/// Selects a source, if there is one.
fn select(source: Option<u32>, state: &mut State) {
    state.selected = source.or(state.selected);
}
