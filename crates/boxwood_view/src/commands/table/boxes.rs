//! The commands about the boxes that are shown.

use boxwood_render::OverlayKinds;
use egui::Key;

use crate::commands::{Command, CommandInfo, Keys};

pub(super) const ROWS: &[CommandInfo] = &[
    CommandInfo {
        command: Command::ToggleKind(OverlayKinds::LEAF),
        name: "Show leaf boxes",
        help: "Show or hide the boxes of leaves before clipping.",
        phrases: &["bounding box outlines of shapes", "bounds before clips"],
        keys: &[Keys::plain(Key::Num1)],
    },
    CommandInfo {
        command: Command::ToggleKind(OverlayKinds::CLIPPED),
        name: "Show clipped leaf boxes",
        help: "Show or hide the boxes of leaves inside of their clips.",
        phrases: &["visible bounding boxes of shapes", "what remains after clips"],
        keys: &[Keys::plain(Key::Num2)],
    },
    CommandInfo {
        command: Command::ToggleKind(OverlayKinds::CLIP),
        name: "Show clip boxes",
        help: "Show or hide the boxes of clips.",
        phrases: &["what clips here", "clip path and mask rectangles"],
        keys: &[Keys::plain(Key::Num3)],
    },
    CommandInfo {
        command: Command::ToggleKind(OverlayKinds::GROUP),
        name: "Show group boxes",
        help: "Show or hide the boxes of groups with a clip path, mask, opacity, blend mode, or filter.",
        phrases: &["which boxes are large", "bounds of groups and layers"],
        keys: &[Keys::plain(Key::Num4)],
    },
    CommandInfo {
        command: Command::HideAllKinds,
        name: "Hide all boxes",
        help: "Hide the boxes of all kinds.",
        phrases: &["clear the overlay", "without any lines"],
        keys: &[Keys::plain(Key::Num0)],
    },
    CommandInfo {
        command: Command::ToggleBoxSource,
        name: "Switch the source of boxes",
        help: "Switch between the boxes of the frame and those of the scene.",
        phrases: &["boxes of the renderer or of the document"],
        keys: &[Keys::plain(Key::X)],
    },
    CommandInfo {
        command: Command::DimDrawing,
        name: "Dim the drawing",
        help: "Dim the drawing below the boxes, or show it as it is.",
        phrases: &["fade or darken the picture so that lines stand out"],
        keys: &[Keys::plain(Key::U)],
    },
    CommandInfo {
        command: Command::ShowSelectionOnly,
        name: "Show boxes of the selection only",
        help: "Show only the boxes of the selection, inside of it, and around it, or all.",
        phrases: &["too many lines", "filter or isolate boxes"],
        keys: &[Keys::plain(Key::J)],
    },
    CommandInfo {
        command: Command::ShowLabels,
        name: "Label boxes",
        help: "Label boxes with the names of their elements where there is room.",
        phrases: &["names and ids in the picture"],
        keys: &[Keys::plain(Key::N)],
    },
];
