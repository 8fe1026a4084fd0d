//! The file dialogs of the desktop.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rfd::AsyncFileDialog;
use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use super::error::ViewError;
use super::open_window::ExportedDrawing;
use super::thread::{Report, reporter, spawn};
use crate::export::Export;
use crate::state::Sheet;

/// The extensions of drawings.
const DRAWINGS: [&str; 2] = ["svg", "svgz"];

/// Shows the dialog for opening drawings, or for choosing one to compare with. Another thread waits
/// for it, and reports the chosen files. There are none if the user closes it, or if the desktop
/// has no dialogs.
///
/// The dialog itself is made here, in the main thread, as macOS requires.
pub(crate) fn show_open(
    sheet: Sheet,
    folder: Option<&Path>,
    window: &Arc<Window>,
    proxy: &EventLoopProxy<Report>,
) -> Result<(), ViewError> {
    let mut dialog = AsyncFileDialog::new().set_parent(&**window).set_title(match sheet {
        Sheet::Compare => "Compare with a drawing",
        _ => "Open drawings",
    });
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let chosen = dialog.add_filter("SVG drawings", &DRAWINGS).pick_files();
    spawn("boxwood_dialog", reporter(proxy), move |report| {
        let files = pollster::block_on(chosen).unwrap_or_default();
        let paths: Vec<PathBuf> = files.iter().map(|file| file.path().to_owned()).collect();
        report(Report::Chosen(sheet, paths));
    })?;
    Ok(())
}

/// Shows the dialog for saving an export of a drawing, with a path at first. Another thread waits
/// for it, and reports the chosen path. There is none if the user closes it, or if the desktop has
/// no dialogs.
///
/// The dialog asks before it returns the path of a file that exists.
pub(crate) fn show_save(
    what: Export,
    drawing: ExportedDrawing,
    path: &Path,
    window: &Arc<Window>,
    proxy: &EventLoopProxy<Report>,
) -> Result<(), ViewError> {
    let mut dialog = AsyncFileDialog::new().set_parent(&**window).set_title("Save as");
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if let Some(folder) = path.parent().filter(|folder| folder.is_dir()) {
        dialog = dialog.set_directory(folder);
    }
    if let Some(name) = path.file_name() {
        dialog = dialog.set_file_name(name.to_string_lossy());
    }
    let [format, extension] = what.format();
    let chosen = dialog.add_filter(format, &[extension]).save_file();
    spawn("boxwood_dialog", reporter(proxy), move |report| {
        let path = pollster::block_on(chosen).map(|file| file.path().to_owned());
        report(Report::ChosenToSave(what, drawing, path));
    })?;
    Ok(())
}
