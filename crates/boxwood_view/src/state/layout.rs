//! The panels that are shown.

use super::State;
use crate::commands::Command;

/// The panels that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) has_files: bool,
    pub(crate) has_tree: bool,
    pub(crate) has_inspector: bool,
    /// The panel with the settings for lines, and the views of the data.
    pub(crate) has_display: bool,
    pub(crate) has_performance: bool,
    pub(crate) has_legend: bool,
    /// Whether all of these are hidden for now.
    pub(crate) is_hidden: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            has_files: false,
            has_tree: true,
            has_inspector: true,
            has_display: false,
            has_performance: false,
            has_legend: true,
            is_hidden: false,
        }
    }
}

impl State {
    /// Runs a command that was chosen by its name, which says `Show` for a panel or a view of the
    /// data. One that is shown stays.
    pub(crate) fn show_or_run(&mut self, command: Command) {
        let layout = &self.layout;
        let is_shown = match command {
            Command::ToggleFiles => layout.has_files,
            Command::ToggleTree => layout.has_tree,
            Command::ToggleInspector => layout.has_inspector,
            Command::ToggleDisplay => layout.has_display,
            Command::TogglePerformance => layout.has_performance,
            Command::ToggleLegend => layout.has_legend,
            Command::ShowData(view) => self.data_view == Some(view),
            _ => false,
        };
        if is_shown && !layout.is_hidden {
            self.notify(format!("It is shown already. {} hides it.", command.info().keys_text()));
        } else {
            self.run(command);
        }
    }

    /// Shows or hides a panel. If all panels are hidden, it shows them with this one.
    pub(super) fn toggle_panel(&mut self, panel: impl Fn(&mut Layout) -> &mut bool) {
        let was_hidden = std::mem::replace(&mut self.layout.is_hidden, false);
        let is_shown = panel(&mut self.layout);
        *is_shown = was_hidden || !*is_shown;
    }
}
