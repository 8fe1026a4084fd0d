//! The commands about the selected element.

use egui::Key;

use crate::commands::{Command, CommandInfo, Keys};
use crate::model::CopyFormat;

pub(super) const ROWS: &[CommandInfo] = &[
    CommandInfo {
        command: Command::SelectPrevious,
        name: "Select the previous element",
        help: "Select the element in the row above, in the tree.",
        phrases: &["arrow up"],
        keys: &[Keys::plain(Key::ArrowUp)],
    },
    CommandInfo {
        command: Command::SelectNext,
        name: "Select the next element",
        help: "Select the element in the row below, in the tree.",
        phrases: &["arrow down"],
        keys: &[Keys::plain(Key::ArrowDown)],
    },
    CommandInfo {
        command: Command::SelectParent,
        name: "Select the parent",
        help: "Select the element around the selected one.",
        phrases: &["outer group", "container", "ancestor"],
        keys: &[Keys::plain(Key::Backspace)],
    },
    CommandInfo {
        command: Command::SelectBelow,
        name: "Select the element below",
        help: "Select the next element below the selected one at the pointer.",
        phrases: &["behind, underneath, covered, and overlapped", "Alt click"],
        keys: &[Keys::plain(Key::G)],
    },
    CommandInfo {
        command: Command::SelectAbove,
        name: "Select the element above",
        help: "Select the next element above the selected one at the pointer.",
        phrases: &["on top, in front"],
        keys: &[Keys::shift(Key::G)],
    },
    CommandInfo {
        command: Command::SwitchHitTest,
        name: "Switch what the pointer hits",
        help: "Switch between elements that paint something at the pointer and elements with a box there.",
        phrases: &["hit boxes", "hover, point at, and click bounding boxes or shapes"],
        keys: &[Keys::plain(Key::W)],
    },
    CommandInfo {
        command: Command::ZoomToSelected,
        name: "Zoom to the element",
        help: "Show the box of the selected element as large as fits.",
        phrases: &["where is the element", "find, center, and focus the selection"],
        keys: &[Keys::plain(Key::Z)],
    },
    CommandInfo {
        command: Command::ToggleSelected,
        name: "Hide the boxes of the element",
        help: "Hide the boxes of the selected element and of its contents, or show them again.",
        phrases: &["remove or mute boxes"],
        keys: &[Keys::plain(Key::Delete)],
    },
    CommandInfo {
        command: Command::ShowHidden,
        name: "Show hidden boxes",
        help: "Show the boxes of all elements that were hidden.",
        phrases: &["unhide or restore boxes"],
        keys: &[],
    },
    CommandInfo {
        command: Command::Copy(CopyFormat::Json),
        name: "Copy as JSON",
        help: "Copy the name, paint, and boxes of the selected element as JSON.",
        phrases: &["clipboard", "all values and coordinates, exact"],
        keys: &[Keys::plain(Key::C)],
    },
    CommandInfo {
        command: Command::Copy(CopyFormat::Numbers),
        name: "Copy the box",
        help: "Copy x, y, width, and height of the selected element's clipped box.",
        phrases: &["clipboard", "position, size, coordinates, and dimensions"],
        keys: &[Keys::command(Key::C)],
    },
    CommandInfo {
        command: Command::Copy(CopyFormat::SvgRect),
        name: "Copy as SVG",
        help: "Copy the clipped box of the selected element as an SVG rect.",
        phrases: &["clipboard", "rectangle as markup"],
        keys: &[Keys::shift(Key::C)],
    },
    CommandInfo {
        command: Command::Copy(CopyFormat::Selector),
        name: "Copy the selector",
        help: "Copy a CSS selector that selects the selected element.",
        phrases: &["clipboard", "CSS id or path of the element"],
        keys: &[Keys::plain(Key::Y)],
    },
    CommandInfo {
        command: Command::OpenInEditor,
        name: "Open in the editor",
        help: "Open the file at the selected element, with the command of `--editor`.",
        phrases: &["edit the source text", "line and column of the element"],
        keys: &[Keys::plain(Key::F4)],
    },
    CommandInfo {
        command: Command::ToggleOrder,
        name: "Step through the draw order",
        help: "Show only what is painted up to an element, or everything again.",
        phrases: &[
            "which element makes the box so large, step by step",
            "z-order, paint order, and painting step by step",
            "what is painted first, last, above, or below",
        ],
        keys: &[Keys::plain(Key::O)],
    },
    CommandInfo {
        command: Command::StepBackward,
        name: "Step backward",
        help: "Go to the previous element in the draw order.",
        phrases: &["undo the last painted element"],
        keys: &[Keys::plain(Key::Comma)],
    },
    CommandInfo {
        command: Command::StepForward,
        name: "Step forward",
        help: "Go to the next element in the draw order.",
        phrases: &["paint the next element"],
        keys: &[Keys::plain(Key::Period)],
    },
];
