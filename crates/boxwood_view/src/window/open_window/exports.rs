//! Exports of a window.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxwood_render::Frame;
use image::RgbaImage;

use super::export_threads::Exported;
use super::{Job, OpenWindow, RenderError, reporter, with_sources};
use crate::export::{Export, Subject, Target, contents, free_path};
use crate::model::Model;
use crate::state::Sheet;
use crate::window::dialogs;

/// An export of the view, which the painter draws.
#[derive(Clone)]
pub(crate) struct ViewExport {
    pub(crate) frame: Frame,
    place: ExportJob,
}

/// A drawing to export.
#[derive(Clone)]
pub(crate) struct ExportedDrawing {
    model: Arc<Model>,
    /// Its path or its name.
    name: PathBuf,
}

/// A drawing to export, and the file for it.
#[derive(Clone)]
struct ExportJob {
    drawing: ExportedDrawing,
    target: Target,
    path: PathBuf,
}

impl OpenWindow {
    /// Exports the current drawing.
    pub(super) fn export(&mut self, what: Export, target: Target, path: Option<PathBuf>) {
        if let Some(drawing) = self.drawing_to_export() {
            let path = path.unwrap_or_else(|| path_beside(what, &drawing));
            self.export_to(what, ExportJob { drawing, target, path });
        }
    }

    /// Suggests a path for an export of the current drawing.
    pub(super) fn suggest_path(&mut self, what: Export) {
        if let Some(drawing) = self.drawing_to_export() {
            self.state.suggested_path = Some((what, free_path(&path_beside(what, &drawing))));
        }
        self.window.request_redraw();
    }

    /// The current drawing, or a notice that there is none.
    fn drawing_to_export(&mut self) -> Option<ExportedDrawing> {
        let model = self.model.clone().filter(|_| self.state.view.document().is_some());
        if model.is_none() {
            self.state.fail_command("there is no drawing to export".to_owned());
        }
        let file = self.browser.file(self.state.files.current());
        let name = file.path().map_or_else(|| file.name().into(), Path::to_owned);
        model.map(|model| ExportedDrawing { model, name })
    }

    fn export_to(&mut self, what: Export, mut place: ExportJob) {
        match what.with_extension(&place.path) {
            Ok(path) if path == place.path => {}
            // The dialog has not asked whether this file may be replaced.
            Ok(path) => (place.path, place.target) = (path, Target::New),
            Err(reason) => return self.state.fail_command(reason),
        }
        self.exports.begin();
        if what == Export::View {
            let frame = self.state.frame_for_file();
            self.next_exports.push_back(Box::new(ViewExport { frame, place }));
        } else {
            self.write(what, place, None);
        }
    }

    /// Shows the dialog of the desktop for saving an export of the current drawing.
    pub(super) fn browse_to_save(&mut self, what: Export, path: &Path) {
        let Some(drawing) = self.drawing_to_export() else { return };
        if let Err(error) = dialogs::show_save(what, drawing, path, &self.window, &self.proxy) {
            self.state.fail_command(with_sources(&error));
        }
    }

    /// Exports a drawing into the file that was chosen in the dialog. The window may show another
    /// drawing by now.
    pub(super) fn export_chosen(&mut self, what: Export, drawing: ExportedDrawing, path: PathBuf) {
        self.export_to(what, ExportJob { drawing, target: Target::Replaced, path });
    }

    /// Gives the painter an export of the view, unless there is another drawing by now.
    pub(super) fn begin_export(&mut self, export: Box<ViewExport>) {
        let is_shown = self.state.view.document().is_some();
        let shown = self.model.as_ref().filter(|_| is_shown);
        let reason = if !shown.is_some_and(|model| Arc::ptr_eq(model, &export.place.drawing.model)) {
            "the view is not exported, because the drawing has changed"
        } else if self.state.is_undrawable {
            "the view is not exported, because the GPU cannot draw it: export the picture"
        } else {
            self.painting.begin(Job::Export(export));
            return;
        };
        self.fail_export(export.place.target, reason.to_owned());
    }

    /// Writes the picture of a view.
    pub(super) fn finish_export(&mut self, export: ViewExport, picture: Result<RgbaImage, RenderError>) {
        match picture {
            Ok(picture) => self.write(Export::View, export.place, Some(picture)),
            Err(error) => {
                let remedy = match error {
                    RenderError::Size { .. } => ": make the window smaller",
                    _ => "",
                };
                let reason = format!("cannot export the view: {}{remedy}", with_sources(&error));
                self.fail_export(export.place.target, reason);
            }
        }
    }

    /// Writes an export in another thread.
    fn write(&mut self, what: Export, place: ExportJob, view: Option<RgbaImage>) {
        let (background, overlay) = (self.state.background, self.state.overlay);
        let load = self.loader.options().clone();
        let target = place.target;
        let started = self.exports.write(target, reporter(&self.proxy), move || {
            let ExportJob { drawing: ExportedDrawing { model, name }, path, .. } = &place;
            let subject = Subject {
                name,
                drawing: &model.drawing,
                background,
                overlay,
                load: &load,
                view: view.as_ref(),
            };
            let contents = contents(what, &subject)?;
            target.write(path, &contents)
        });
        if let Err(error) = started {
            self.fail_export(target, with_sources(&error));
        }
    }

    /// Ends an export that no thread writes.
    fn fail_export(&mut self, target: Target, reason: String) {
        self.exports.fail();
        self.report_export(Exported { target, written: Err(reason) });
    }

    /// Shows where the exports are that threads have written, or why they are not there.
    pub(super) fn report_exports(&mut self) {
        while let Some(exported) = self.exports.take() {
            self.report_export(exported);
        }
    }

    /// Shows where an export is, or why there is none. The sheet stays open for another path, and
    /// if the export was not begun there.
    fn report_export(&mut self, Exported { target, written }: Exported) {
        match (written, &mut self.failed_exports) {
            (Ok(_), Some(_)) => {}
            (Err(reason), Some(failed)) => failed.push(reason),
            (Ok(path), None) => {
                let is_of_sheet = target != Target::Beside;
                self.state.sheet.take_if(|sheet| is_of_sheet && *sheet == Sheet::Export);
                self.state.notify(format!("exported {}", path.display()));
            }
            (Err(reason), None) => self.state.fail_command(reason),
        }
    }
}

/// The whole path of an export next to a drawing, or in the current folder if it has no file.
fn path_beside(what: Export, drawing: &ExportedDrawing) -> PathBuf {
    let path = what.path_beside(&drawing.name);
    std::path::absolute(&path).unwrap_or(path)
}
