//! The commands of the window. One table has their names, their help, and their keys, for the
//! keyboard, the help sheet, the palette, the command line, and the manual.

mod keys;
mod search;
mod table;

use std::fmt::Write as _;

use boxwood_render::OverlayKinds;

use crate::data_views::DataView;
use crate::export::Export;
use crate::model::CopyFormat;
use crate::state::Step;
pub(crate) use keys::{Focus, Keys, pressed};
pub(crate) use search::find;
pub(crate) use table::commands;

/// Something that the user can do by a key, or by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Command {
    /// Shows or hides boxes of one kind.
    ToggleKind(OverlayKinds),
    HideAllKinds,
    ToggleBoxSource,
    ShowData(DataView),
    DimDrawing,
    ShowSelectionOnly,
    ShowLabels,
    NextBackground,
    FitWindow,
    ActualSize,
    ResetView,
    ZoomIn,
    ZoomOut,
    /// Goes to another file of the list.
    Go(Step),
    OpenFiles,
    Export(Export),
    ExportAs,
    Compare,
    CompareWithFile,
    Reload,
    SelectNext,
    SelectPrevious,
    SelectParent,
    /// Selects the next element below the selected one, under the pointer.
    SelectBelow,
    SelectAbove,
    /// Switches between what is painted and boxes under the pointer.
    SwitchHitTest,
    ZoomToSelected,
    ToggleSelected,
    ShowHidden,
    ToggleFiles,
    /// Copies a text about the selected element.
    Copy(CopyFormat),
    OpenInEditor,
    ToggleOrder,
    StepBackward,
    StepForward,
    ToggleTree,
    ToggleInspector,
    ToggleDisplay,
    TogglePerformance,
    ToggleVsync,
    NextAntialiasing,
    SaveTrace,
    ToggleLegend,
    TogglePanels,
    ShowHelp,
    ShowPalette,
    Cancel,
    Quit,
}

/// The section of the help that a command is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Boxes,
    Elements,
    Data,
    View,
    Files,
    Performance,
    Panels,
}

impl Section {
    /// The sections in the order of the help.
    pub(crate) const ALL: [Self; 7] =
        [Self::Boxes, Self::Elements, Self::Data, Self::View, Self::Files, Self::Performance, Self::Panels];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Boxes => "Boxes",
            Self::Elements => "Elements",
            Self::Data => "Views of the data",
            Self::View => "View",
            Self::Files => "Files",
            Self::Performance => "Performance",
            Self::Panels => "Panels",
        }
    }
}

/// A row of the table of commands.
#[derive(Debug)]
pub(crate) struct CommandInfo {
    pub(crate) command: Command,
    /// A short name in the imperative, such as `Fit the window`.
    pub(crate) name: &'static str,
    /// A sentence.
    pub(crate) help: &'static str,
    /// Questions that the command answers and other words for it, by which it is found.
    pub(crate) phrases: &'static [&'static str],
    /// The keys, the first of which is shown in menus. May be empty.
    pub(crate) keys: &'static [Keys],
}

impl CommandInfo {
    /// The keys as text, such as `F, Ctrl+0`. Empty without keys.
    pub(crate) fn keys_text(&self) -> String {
        self.keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}

impl Command {
    /// The row of the command.
    pub(crate) fn info(self) -> &'static CommandInfo {
        commands().find(|info| info.command == self).expect("the table has every command")
    }

    /// The help of the command, with its keys.
    pub(crate) fn tip(self) -> String {
        let info = self.info();
        format!("{} ({})", info.help, info.keys_text())
    }
}

/// What the pointer does, with the keys that go on from there. It has no commands.
pub(crate) const POINTER: [(&str, &str); 6] = [
    ("Drag", "Move the drawing."),
    ("Wheel, pinch", "Zoom around the pointer."),
    ("Click", "Select the element under the pointer."),
    ("Alt+click, Ctrl+click", "Select the next element below the selected one."),
    ("Tab, Shift+Tab", "Highlight the element around this one, and back."),
    ("Drop", "Open the files or folders that are dropped here."),
];

/// The keys and the pointer, one short line for each command, for the help of the program.
pub fn keys_as_text() -> String {
    let mut text = String::new();
    for section in Section::ALL {
        _ = writeln!(text, "{}:", section.title());
        for info in section.commands().iter().filter(|info| !info.keys.is_empty()) {
            _ = writeln!(text, "  {:<21} {}", info.keys_text(), info.name);
        }
    }
    text.push_str("Pointer:\n");
    for (action, help) in POINTER {
        _ = writeln!(text, "  {action:<21} {help}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use std::collections::HashSet;

    use super::*;
    use boxwood_render::OVERLAY_STYLES;

    #[test]
    fn no_two_commands_have_the_same_name_or_key() {
        let mut names = HashSet::new();
        let mut keys = HashSet::new();
        for info in commands() {
            assert!(names.insert(info.name), "{} is there twice", info.name);
            assert!(info.help.ends_with('.') && info.help.len() <= 90, "{}", info.help);
            for key in info.keys {
                assert!(keys.insert(key.to_string()), "{key} has two commands");
            }
        }
    }

    #[test]
    fn the_keys_of_the_kinds_are_those_of_their_styles() {
        for style in OVERLAY_STYLES {
            let info = Command::ToggleKind(style.kind).info();
            assert_eq!(info.keys_text(), style.key.to_string());
            assert!(info.name.contains(style.title), "{}", info.name);
        }
    }

    #[test]
    fn the_texts_have_every_key() {
        let (text, markdown) = (keys_as_text(), commands_as_markdown());
        for info in commands().filter(|info| !info.keys.is_empty()) {
            assert!(text.contains(info.name) && markdown.contains(info.help), "{}", info.name);
        }
        assert!(text.lines().all(|line| line.len() <= 110), "{text}");
    }

    /// The table of commands in Markdown, for the manual.
    fn commands_as_markdown() -> String {
        let mut text = String::from("| key | command | effect |\n|---|---|---|\n");
        for section in Section::ALL {
            for info in section.commands() {
                let keys: Vec<_> = info.keys.iter().map(|keys| format!("`{keys}`")).collect();
                _ = writeln!(text, "| {} | {} | {} |", keys.join(" "), info.name, info.help);
            }
        }
        for (action, help) in POINTER {
            _ = writeln!(text, "| {action} | | {help} |");
        }
        text
    }

    /// With `BOXWOOD_BLESS=1`, the test rewrites the table.
    #[test]
    fn the_manual_has_every_command() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/viewer.md");
        let manual = fs::read_to_string(&path).expect("the manual can be read");
        let table = commands_as_markdown();
        if std::env::var_os("BOXWOOD_BLESS").is_some() {
            let is_row = |line: &&str| line.starts_with('|') && line.matches('|').count() == 4;
            let rows: Vec<_> = manual.lines().filter(is_row).collect();
            let old = rows.iter().map(|row| format!("{row}\n")).collect::<String>();
            let new = if old.is_empty() { manual + &table } else { manual.replace(&old, &table) };
            fs::write(&path, new).expect("the manual can be written");
            return;
        }
        assert!(manual.contains(&table), "docs/viewer.md lacks this table:\n{table}");
    }
}
