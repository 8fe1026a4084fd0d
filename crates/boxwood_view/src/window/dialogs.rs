//! The file dialogs of the desktop.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rfd::AsyncFileDialog;
use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use super::error::ViewError;
use super::thread::{Report, reporter, spawn};

/// The extensions of drawings.
const DRAWINGS: [&str; 2] = ["svg", "svgz"];

/// Shows the dialog for opening drawings. Another thread waits for it, and reports the chosen
/// files. There are none if the user closes it, or if the desktop has no dialogs.
///
/// The dialog itself is made here, in the main thread, as macOS requires.
pub(crate) fn show_open(
    folder: Option<&Path>,
    window: &Arc<Window>,
    proxy: &EventLoopProxy<Report>,
) -> Result<(), ViewError> {
    let mut dialog = AsyncFileDialog::new().set_parent(&**window).set_title("Open drawings");
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let chosen = dialog.add_filter("SVG drawings", &DRAWINGS).pick_files();
    spawn("boxwood_dialog", reporter(proxy), move |report| {
        let files = pollster::block_on(chosen).unwrap_or_default();
        let paths: Vec<PathBuf> = files.iter().map(|file| file.path().to_owned()).collect();
        report(Report::Chosen(paths));
    })?;
    Ok(())
}
