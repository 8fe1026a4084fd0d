//! The commands that show views of the data.

use egui::Key;

use crate::commands::{Command, CommandInfo, Keys};
use crate::data_views::DataView;

pub(super) const ROWS: &[CommandInfo] = &[
    CommandInfo {
        command: Command::ShowData(DataView::Overdraw),
        name: "Show overdraw",
        help: "Show how many boxes of leaves are at each pixel.",
        phrases: &["why slow: many shapes above each other", "heat map of the cost per pixel"],
        keys: &[Keys::plain(Key::Num5)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Layers),
        name: "Show layers and batches",
        help: "Show the layers of items that do not overlap, and their batches.",
        phrases: &["draw calls", "what can be drawn together"],
        keys: &[Keys::plain(Key::Num6)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Occluded),
        name: "Show waste",
        help: "Show the elements that nobody can see, and needless effects.",
        phrases: &[
            "why is an element invisible or not visible",
            "why slow: what is drawn in vain",
            "unused, useless, covered, and off-canvas elements",
        ],
        keys: &[Keys::plain(Key::Num7)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Damage),
        name: "Show damage",
        help: "Show what differs from the previous version of the file.",
        phrases: &["what changed since the last version", "difference, dirty rectangles, and repaint"],
        keys: &[Keys::plain(Key::Num8)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Tiles),
        name: "Show tiles",
        help: "Show how many boxes of leaves are in each tile of 16 pixels.",
        phrases: &["heat map of the density of boxes", "where are many boxes"],
        keys: &[Keys::plain(Key::Num9)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Check),
        name: "Compare with the specification",
        help: "Compare the boxes of the adapter with the specification, bit for bit.",
        phrases: &["is the adapter correct", "check, verify, and validate the boxes"],
        keys: &[Keys::plain(Key::K)],
    },
];
