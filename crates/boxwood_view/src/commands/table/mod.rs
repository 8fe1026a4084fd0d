//! The table of commands, in a file for each section.

mod boxes;
mod data;
mod elements;
mod files;
mod panels;
mod performance;
mod view;

use super::{CommandInfo, Section};

impl Section {
    /// The commands of the section, in the order of the help.
    pub(crate) fn commands(self) -> &'static [CommandInfo] {
        match self {
            Self::Boxes => boxes::ROWS,
            Self::Elements => elements::ROWS,
            Self::Data => data::ROWS,
            Self::View => view::ROWS,
            Self::Files => files::ROWS,
            Self::Performance => performance::ROWS,
            Self::Panels => panels::ROWS,
        }
    }
}

/// Every command, in the order of the help.
pub(crate) fn commands() -> impl Iterator<Item = &'static CommandInfo> {
    Section::ALL.into_iter().flat_map(Section::commands)
}
