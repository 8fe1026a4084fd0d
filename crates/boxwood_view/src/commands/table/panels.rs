//! The commands that show panels and sheets.

use egui::Key;

use crate::commands::{Command, CommandInfo, Keys};

pub(super) const ROWS: &[CommandInfo] = &[
    CommandInfo {
        command: Command::ToggleFiles,
        name: "Show the list of files",
        help: "Show or hide the files of the folder, with thumbnails.",
        phrases: &["folder, directory, thumbnails, browse"],
        keys: &[Keys::plain(Key::E)],
    },
    CommandInfo {
        command: Command::ToggleTree,
        name: "Show the tree",
        help: "Show or hide the tree of elements.",
        phrases: &[
            "find or search an element by id, class, or selector",
            "outline, hierarchy, structure, and nodes",
        ],
        keys: &[Keys::plain(Key::T)],
    },
    CommandInfo {
        command: Command::ToggleInspector,
        name: "Show the inspector",
        help: "Show or hide the facts about the selected element.",
        phrases: &[
            "what clips this",
            "what clips or cuts the element",
            "why is this box so large",
            "which element makes this box so large",
            "what hides it, why invisible",
            "properties, details, fill, stroke, font, size, and position",
        ],
        keys: &[Keys::plain(Key::I)],
    },
    CommandInfo {
        command: Command::ToggleDisplay,
        name: "Show the display panel",
        help: "Show or hide the settings for lines, and the views of the data.",
        phrases: &["settings, preferences, and options", "data views, heat maps, opacity, and depths"],
        keys: &[Keys::plain(Key::D)],
    },
    CommandInfo {
        command: Command::ToggleLegend,
        name: "Show the legend",
        help: "Show or hide the legend of the kinds of box.",
        phrases: &["colors and meaning of lines", "status bar"],
        keys: &[Keys::plain(Key::L)],
    },
    CommandInfo {
        command: Command::TogglePanels,
        name: "Hide all panels",
        help: "Hide all panels, or show them again.",
        phrases: &["full screen, presentation, only the picture"],
        keys: &[Keys::plain(Key::H)],
    },
    CommandInfo {
        command: Command::ShowHelp,
        name: "Show the keys",
        help: "Show or hide the list of keys.",
        phrases: &["help, shortcuts, and manual"],
        keys: &[Keys::plain(Key::Questionmark), Keys::plain(Key::F1)],
    },
    CommandInfo {
        command: Command::ShowPalette,
        name: "Find a command",
        help: "Find a command by its name or by a question, and run it.",
        phrases: &["search, menu, palette"],
        keys: &[Keys::command(Key::K)],
    },
];
