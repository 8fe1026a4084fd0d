//! What each command does.

use boxwood_render::{OverlayKinds, OverlaySource};
use vello::AaConfig;

use super::{Compare, DrawOrder, Request, Sheet, State, ZOOM_STEP, antialiasing_text};
use crate::commands::Command;
use crate::data_views::DataView;
use crate::export::Target;

impl State {
    /// Runs a command that was chosen by its name, such as `Show the tree`. What it switches on,
    /// and is on already, stays.
    pub(crate) fn run_by_name(&mut self, command: Command) {
        if self.is_on(command) != Some(true) {
            return self.run(command);
        }
        self.dismiss_notices();
        let is_in_panels =
            matches!(command, Command::ShowData(_)) || self.layout.panel_mut(command).is_some();
        if is_in_panels && self.layout.is_hidden {
            self.layout.is_hidden = false;
        } else {
            let keys = command.info().keys_text();
            self.notify(format!("This is on already. Press {keys} to turn it off."));
        }
    }

    /// Whether the subject of a command's name is on. `None` if the command switches nothing on.
    fn is_on(&self, command: Command) -> Option<bool> {
        match command {
            Command::ToggleKind(kind) => Some(self.overlay.contains(kind)),
            Command::ShowData(view) => Some(self.data_view == Some(view)),
            Command::DimDrawing => Some(self.readability.is_dimmed),
            Command::ShowSelectionOnly => Some(self.readability.is_selection_only),
            Command::ShowLabels => Some(self.readability.has_labels),
            Command::ToggleOrder => Some(self.draw_order.element.is_some()),
            Command::ToggleSelected => {
                Some(self.selected.is_some_and(|selected| self.readability.hidden.contains(selected)))
            }
            Command::TogglePanels => Some(self.layout.is_hidden),
            _ => { self.layout }.panel_mut(command).copied(),
        }
    }

    /// Runs a command. A command about elements is kept until the panels are shown.
    pub(crate) fn run(&mut self, command: Command) {
        self.dismiss_notices();
        match command {
            Command::ToggleKind(kind) => self.overlay.toggle(kind),
            Command::HideAllKinds => self.overlay = OverlayKinds::NONE,
            Command::ToggleBoxSource => {
                self.boxes = match self.boxes {
                    OverlaySource::Scene => OverlaySource::Frame,
                    OverlaySource::Frame => OverlaySource::Scene,
                }
            }
            Command::ShowData(view) => self.toggle_data_view(view),
            Command::DimDrawing => self.readability.is_dimmed = !self.readability.is_dimmed,
            Command::ShowSelectionOnly => {
                self.readability.is_selection_only = !self.readability.is_selection_only;
            }
            Command::ShowLabels => self.readability.has_labels = !self.readability.has_labels,
            Command::NextBackground => self.background = self.background.next(),
            Command::FitWindow => self.view.fit(),
            Command::ActualSize => self.view.show_actual_size(),
            Command::ResetView => self.view.reset(),
            Command::ZoomIn => self.view.zoom_at_centre(ZOOM_STEP),
            Command::ZoomOut => self.view.zoom_at_centre(1.0 / ZOOM_STEP),
            Command::Go(step) => self.go_to(self.files.at(step)),
            Command::Export(what) => self.request(Request::Export(what, Target::Beside, None)),
            Command::ExportAs => self.toggle_sheet(Sheet::Export),
            Command::Compare => self.compare = Compare::next(self.compare),
            Command::CompareWithFile => self.toggle_sheet(Sheet::Compare),
            Command::OpenFiles => self.toggle_sheet(Sheet::Open),
            Command::Reload => self.request(Request::Load),
            Command::SelectNext
            | Command::SelectPrevious
            | Command::SelectParent
            | Command::SelectBelow
            | Command::SelectAbove
            | Command::ZoomToSelected
            | Command::ToggleSelected
            | Command::Copy(_)
            | Command::OpenInEditor
            | Command::ToggleOrder
            | Command::StepBackward
            | Command::StepForward => self.element_commands.push(command),
            Command::SwitchHitTest => self.switch_hit_test(),
            Command::ShowHidden => self.readability.hidden.clear(),
            Command::ToggleFiles
            | Command::ToggleTree
            | Command::ToggleInspector
            | Command::ToggleDisplay
            | Command::TogglePerformance
            | Command::ToggleLegend => self.layout.toggle_panel(command),
            Command::ToggleVsync => self.has_vsync = !self.has_vsync,
            Command::NextAntialiasing => self.next_antialiasing(),
            Command::SaveTrace => self.request(Request::SaveTrace),
            Command::TogglePanels => self.layout.is_hidden = !self.layout.is_hidden,
            Command::ShowHelp => self.toggle_sheet(Sheet::Help),
            Command::ShowPalette => self.toggle_sheet(Sheet::Palette),
            Command::Cancel if self.sheet.is_some() => self.sheet = None,
            Command::Cancel if self.busy.is_some() => self.request(Request::CancelWork),
            Command::Cancel if self.has_past_failure() => self.dismiss_past_failures(),
            Command::Cancel if self.draw_order.element.is_some() => self.draw_order = DrawOrder::default(),
            Command::Cancel if self.compare.is_some() => self.compare = None,
            Command::Cancel if self.selected.is_some() => self.selected = None,
            Command::Cancel | Command::Quit => self.request(Request::Quit),
        }
    }

    fn next_antialiasing(&mut self) {
        self.antialiasing = match self.antialiasing {
            AaConfig::Area => AaConfig::Msaa8,
            AaConfig::Msaa8 => AaConfig::Msaa16,
            AaConfig::Msaa16 => AaConfig::Area,
        };
        self.notify(format!("antialiasing: {}", antialiasing_text(self.antialiasing)));
    }

    /// Shows a view of the data with its legend, or none if it is shown.
    fn toggle_data_view(&mut self, view: DataView) {
        self.data_view = (self.data_view != Some(view)).then_some(view);
        if self.data_view.is_some() {
            self.layout.has_display = true;
            self.layout.is_hidden = false;
        }
    }

    fn toggle_sheet(&mut self, sheet: Sheet) {
        self.sheet = if self.sheet == Some(sheet) { None } else { Some(sheet) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::commands;
    use crate::state::tests::state;

    #[test]
    fn a_command_that_is_chosen_by_its_name_turns_nothing_off() {
        let switches: Vec<_> = commands().filter(|info| state(1).is_on(info.command).is_some()).collect();
        assert!(switches.len() >= 20, "{switches:?}");
        for info in switches {
            let mut state = state(1);
            state.selected = Some(0);
            for is_hidden in [false, true] {
                state.layout.is_hidden = is_hidden;
                // Runs it twice at least.
                for _ in 0..2 {
                    state.run_by_name(info.command);
                    match state.take_element_commands()[..] {
                        [Command::ToggleOrder] => state.draw_order.element = Some(0),
                        [Command::ToggleSelected] => state.readability.hidden.toggle(0),
                        _ => {}
                    }
                    assert_eq!(state.is_on(info.command), Some(true), "{}", info.name);
                }
            }
            let [message] = &state.messages[..] else { panic!("{}: {:?}", info.name, state.messages) };
            assert!(message.text.contains(info.keys[0].to_string().as_str()), "{message:?}");
        }
    }

    #[test]
    fn a_view_of_the_data_and_a_panel_that_are_on_show_the_hidden_panels() {
        for command in [Command::ShowData(DataView::Overdraw), Command::ToggleTree] {
            let mut state = state(1);
            state.run_by_name(command);
            state.layout.is_hidden = true;
            state.run_by_name(command);
            assert_eq!((state.layout.is_hidden, state.is_on(command)), (false, Some(true)));
        }
    }
}
