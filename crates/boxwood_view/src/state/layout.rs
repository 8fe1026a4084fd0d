//! The panels that are shown.

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

impl Layout {
    /// Whether the panel of a command is shown, unless all are hidden. `None` for other commands.
    pub(super) fn panel_mut(&mut self, command: Command) -> Option<&mut bool> {
        match command {
            Command::ToggleFiles => Some(&mut self.has_files),
            Command::ToggleTree => Some(&mut self.has_tree),
            Command::ToggleInspector => Some(&mut self.has_inspector),
            Command::ToggleDisplay => Some(&mut self.has_display),
            Command::TogglePerformance => Some(&mut self.has_performance),
            Command::ToggleLegend => Some(&mut self.has_legend),
            _ => None,
        }
    }

    /// Shows or hides the panel of a command. If all panels are hidden, it shows them with this
    /// one.
    pub(super) fn toggle_panel(&mut self, command: Command) {
        let was_hidden = std::mem::replace(&mut self.is_hidden, false);
        if let Some(is_shown) = self.panel_mut(command) {
            *is_shown = was_hidden || !*is_shown;
        }
    }
}
