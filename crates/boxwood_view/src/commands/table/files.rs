//! The commands about files, and about the window as a whole.

use boxwood_cli::BoxFormat;
use egui::Key;

use crate::commands::{Command, CommandInfo, Keys};
use crate::export::Export;
use crate::state::Step;

pub(super) const ROWS: &[CommandInfo] = &[
    CommandInfo {
        command: Command::OpenFiles,
        name: "Open files",
        help: "Open a file or a folder by its path, in a dialog, or from the recent files.",
        phrases: &["load a drawing, SVG, or directory", "recent files"],
        keys: &[Keys::command(Key::O)],
    },
    CommandInfo {
        command: Command::Go(Step::Previous),
        name: "Go to the previous file",
        help: "Show the previous file.",
        phrases: &[],
        keys: &[Keys::plain(Key::ArrowLeft)],
    },
    CommandInfo {
        command: Command::Go(Step::Next),
        name: "Go to the next file",
        help: "Show the next file.",
        phrases: &[],
        keys: &[Keys::plain(Key::ArrowRight)],
    },
    CommandInfo {
        command: Command::Go(Step::PageBack),
        name: "Go ten files back",
        help: "Show the file ten places before.",
        phrases: &[],
        keys: &[Keys::plain(Key::PageUp)],
    },
    CommandInfo {
        command: Command::Go(Step::PageAhead),
        name: "Go ten files ahead",
        help: "Show the file ten places after.",
        phrases: &[],
        keys: &[Keys::plain(Key::PageDown)],
    },
    CommandInfo {
        command: Command::Go(Step::First),
        name: "Go to the first file",
        help: "Show the first file.",
        phrases: &[],
        keys: &[Keys::plain(Key::Home)],
    },
    CommandInfo {
        command: Command::Go(Step::Last),
        name: "Go to the last file",
        help: "Show the last file.",
        phrases: &[],
        keys: &[Keys::plain(Key::End)],
    },
    CommandInfo {
        command: Command::Export(Export::PictureWithBoxes),
        name: "Export the picture with boxes",
        help: "Write the picture with the boxes that are shown, next to the file, as PNG.",
        phrases: &["save a screenshot or an image"],
        keys: &[Keys::command(Key::S)],
    },
    CommandInfo {
        command: Command::Export(Export::Picture),
        name: "Export the picture",
        help: "Write the picture without boxes, next to the file, as PNG.",
        phrases: &["save a screenshot or an image"],
        keys: &[Keys::command_shift(Key::S)],
    },
    CommandInfo {
        command: Command::Export(Export::View),
        name: "Export the view",
        help: "Write the part of the drawing in the window, as it is shown, as PNG.",
        phrases: &["save a screenshot or an image of the window"],
        keys: &[],
    },
    CommandInfo {
        command: Command::Export(Export::Boxes(BoxFormat::Svg)),
        name: "Export the boxes as SVG",
        help: "Write the drawing with its boxes as a group, next to the file.",
        phrases: &["save the overlay"],
        keys: &[],
    },
    CommandInfo {
        command: Command::Export(Export::Boxes(BoxFormat::Json)),
        name: "Export the boxes as JSON",
        help: "Write the boxes next to the file, as `boxwood query` prints them.",
        phrases: &["save the coordinates"],
        keys: &[],
    },
    CommandInfo {
        command: Command::Export(Export::Boxes(BoxFormat::Csv)),
        name: "Export the boxes as CSV",
        help: "Write the boxes next to the file, as `boxwood query` prints them.",
        phrases: &["save the coordinates as a table, spreadsheet"],
        keys: &[],
    },
    CommandInfo {
        command: Command::ExportAs,
        name: "Save as",
        help: "Choose what to export, and the path of the file.",
        phrases: &["export, write, or convert to a file of choice"],
        keys: &[Keys::command(Key::E)],
    },
    CommandInfo {
        command: Command::Compare,
        name: "Compare with the drawing before",
        help: "Compare with the last version, or the last file: blink, wipe, difference, or off.",
        phrases: &["what changed", "difference of two pictures, before and after"],
        keys: &[Keys::command(Key::D)],
    },
    CommandInfo {
        command: Command::CompareWithFile,
        name: "Compare with a file",
        help: "Choose a file to compare with by its path, in a dialog, or from the recent files.",
        phrases: &["what differs", "difference of two pictures, other version"],
        keys: &[Keys::command_shift(Key::D)],
    },
    CommandInfo {
        command: Command::Reload,
        name: "Reload the file",
        help: "Load the file again. This happens by itself if the file changes.",
        phrases: &["refresh, update, read again"],
        keys: &[Keys::plain(Key::R)],
    },
    CommandInfo {
        command: Command::Cancel,
        name: "Cancel",
        help: "Close a sheet, cancel work, hide errors, stop stepping or comparing, deselect, or quit.",
        phrases: &["stop, close, deselect, escape"],
        keys: &[Keys::plain(Key::Escape)],
    },
    CommandInfo {
        command: Command::Quit,
        name: "Quit",
        help: "Close the window.",
        phrases: &["exit, close the program"],
        keys: &[Keys::plain(Key::Q), Keys::command(Key::Q)],
    },
];
