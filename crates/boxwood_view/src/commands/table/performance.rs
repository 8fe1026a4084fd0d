//! The commands about performance.

use egui::Key;

use crate::commands::{Command, CommandInfo, Keys};

pub(super) const ROWS: &[CommandInfo] = &[
    CommandInfo {
        command: Command::TogglePerformance,
        name: "Show the performance panel",
        help: "Show or hide counts, limits, and times.",
        phrases: &[
            "why slow",
            "what takes long",
            "time, speed, profile, statistics, memory, and frames per second",
        ],
        keys: &[Keys::plain(Key::S)],
    },
    CommandInfo {
        command: Command::ToggleVsync,
        name: "Switch vsync",
        help: "Wait for the screen before the next picture is presented, or do not.",
        phrases: &["tearing, frame rate"],
        keys: &[Keys::plain(Key::V)],
    },
    CommandInfo {
        command: Command::NextAntialiasing,
        name: "Change the antialiasing",
        help: "Switch between area coverage, 8 samples, and 16 samples per pixel.",
        phrases: &["smooth or jagged edges, MSAA, quality"],
        keys: &[Keys::plain(Key::M)],
    },
    CommandInfo {
        command: Command::SaveTrace,
        name: "Save a trace",
        help: "Save the times of the last picture on the GPU as a Chrome trace.",
        phrases: &["profile for Chrome or Perfetto"],
        keys: &[Keys::plain(Key::P)],
    },
];
