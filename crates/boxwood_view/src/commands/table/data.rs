//! The commands that show views of the data.

use egui::Key;

use crate::commands::{Command, CommandInfo, Keys};
use crate::data_views::DataView;

pub(super) const ROWS: &[CommandInfo] = &[
    CommandInfo {
        command: Command::ShowData(DataView::Overdraw),
        name: "Show overdraw",
        help: "Show how many boxes of leaves are at each pixel.",
        keys: &[Keys::plain(Key::Num5)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Layers),
        name: "Show layers and batches",
        help: "Show the layers of items that do not overlap, and their batches.",
        keys: &[Keys::plain(Key::Num6)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Occluded),
        name: "Show waste",
        help: "Show the elements that nobody can see, and needless effects.",
        keys: &[Keys::plain(Key::Num7)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Damage),
        name: "Show damage",
        help: "Show what differs from the previous version of the file.",
        keys: &[Keys::plain(Key::Num8)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Tiles),
        name: "Show tiles",
        help: "Show how many boxes of leaves are in each tile of 16 pixels.",
        keys: &[Keys::plain(Key::Num9)],
    },
    CommandInfo {
        command: Command::ShowData(DataView::Check),
        name: "Compare with the specification",
        help: "Compare the boxes of the adapter with the specification, bit for bit.",
        keys: &[Keys::plain(Key::K)],
    },
];
