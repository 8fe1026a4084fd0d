//! The commands about the place and the background of the drawing.

use egui::Key;

use crate::commands::{Command, CommandInfo, Keys};

pub(super) const ROWS: &[CommandInfo] = &[
    CommandInfo {
        command: Command::FitWindow,
        name: "Fit the window",
        help: "Show the drawing as large as fits.",
        phrases: &["zoom to all", "whole drawing, full view"],
        keys: &[Keys::plain(Key::F)],
    },
    CommandInfo {
        command: Command::ActualSize,
        name: "Show at 100 %",
        help: "Show the drawing at 100 %.",
        phrases: &["actual size, original size, 1:1"],
        keys: &[Keys::command(Key::Num0)],
    },
    CommandInfo {
        command: Command::ResetView,
        name: "Reset the view",
        help: "Show the drawing at 100 %, or smaller if it does not fit.",
        phrases: &["home, start, default zoom"],
        keys: &[Keys::plain(Key::Space)],
    },
    CommandInfo {
        command: Command::ZoomIn,
        name: "Zoom in",
        help: "Zoom in around the centre.",
        phrases: &["magnify, larger, closer"],
        keys: &[
            Keys::plain(Key::Plus),
            Keys::plain(Key::Equals),
            Keys::command(Key::Plus),
            Keys::command(Key::Equals),
        ],
    },
    CommandInfo {
        command: Command::ZoomOut,
        name: "Zoom out",
        help: "Zoom out around the centre.",
        phrases: &["smaller, farther"],
        keys: &[Keys::plain(Key::Minus), Keys::command(Key::Minus)],
    },
    CommandInfo {
        command: Command::NextBackground,
        name: "Change the background",
        help: "Switch between a checker, white, and black behind the drawing.",
        phrases: &["transparent, checkerboard, dark, or light"],
        keys: &[Keys::plain(Key::B)],
    },
];
