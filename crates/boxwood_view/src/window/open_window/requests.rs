//! Serves the requests of the panels.

use super::{Closed, Job, OpenWindow, ViewInput, reporter, with_sources};
use crate::commands::Command;
use crate::panels::ComparedPictures;
use crate::state::{Busy, Request, Sheet, Topic};
use crate::window::comparer::Compared;
use crate::window::{dialogs, trace};

impl OpenWindow {
    /// Does what the panels ask for.
    pub(super) fn serve(&mut self, request: Request) -> Result<(), Closed> {
        match request {
            Request::Load => self.load(),
            Request::CancelWork => self.cancel_work(),
            Request::Open(paths) => {
                self.browser.open_others(paths, &mut self.state);
                // It may have requested a load.
                self.window.request_redraw();
            }
            Request::Export(what, target, path) => self.export(what, target, path),
            Request::SuggestPath(what) => self.suggest_path(what),
            Request::BrowseToSave(what, path) => self.browse_to_save(what, &path),
            Request::Browse(sheet) => self.browse(sheet),
            Request::CompareWithListed(index) => self.compare_with(self.browser.file(index).clone()),
            Request::CompareWith(path) => self.compare_with(ViewInput::Path(path)),
            Request::Thumbnails(files) => self.browser.draw_thumbnails(&files, &mut self.state),
            Request::OpenInEditor(place) => self.open_in_editor(place),
            Request::SaveTrace => self.save_trace(),
            Request::ClearTimes => {
                self.performance.clear();
                self.window.request_redraw();
            }
            Request::Quit => return Err(Closed::ByUser),
        }
        Ok(())
    }

    /// Starts loading the current file. Its old picture stays meanwhile.
    pub(super) fn load(&mut self) {
        let file = self.browser.file(self.state.files.current());
        if self.loader.joins_load_of(file) {
            return;
        }
        self.state.end_message(Topic::Cancelled);
        if self.state.view.document().is_none() {
            self.painting.cancel_picture();
            self.previewer.cancel();
            self.next_job = Some(Job::Clear);
            self.gui.panels.canvas.clear();
            if let Some(model) = self.model.take() {
                self.comparer.remember(model, false);
            }
            self.details = None;
        }
        match self.loader.start(file) {
            Ok(notice) => notice.into_iter().for_each(|notice| self.state.notify(notice)),
            Err(error) => self.fail(with_sources(&error)),
        }
    }

    /// Opens the current file in the editor at a line and a column, or says why it cannot.
    fn open_in_editor(&mut self, place: [u32; 2]) {
        let file = self.browser.file(self.state.files.current());
        let opened = match (&self.editor, file.path()) {
            (Some(editor), Some(path)) => editor.open(path, place),
            (None, _) => {
                Err("start with --editor 'code -g {file}:{line}:{column}' to open an editor".to_owned())
            }
            (_, None) => Err("only a file can be opened in an editor".to_owned()),
        };
        if let Err(reason) = opened {
            self.state.fail_command(reason);
        }
        self.window.request_redraw();
    }

    /// Compares the current drawing with a file.
    pub(super) fn compare_with(&mut self, file: ViewInput) {
        self.gui.panels.canvas.compared = None;
        let report = reporter(&self.proxy);
        if let Err(error) = self.comparer.choose(file, self.loader.options(), &mut self.state, report) {
            self.state.fail_command(with_sources(&error));
        }
        self.window.request_redraw();
    }

    /// Shows the dialog of the desktop for opening files, or for comparing with one.
    fn browse(&mut self, sheet: Sheet) {
        let file = self.browser.file(self.state.files.current());
        let folder = file.path().and_then(|path| path.parent()?.canonicalize().ok());
        if let Err(error) = dialogs::show_open(sheet, folder.as_deref(), &self.window, &self.proxy) {
            self.state.fail_command(with_sources(&error));
        }
    }

    /// Cancels the work that the user waits for.
    fn cancel_work(&mut self) {
        match self.work() {
            Some((Busy::Loading, _)) => {
                self.loader.abandon();
                let reload = Command::Reload.info().keys_text();
                let text = format!("The load was cancelled. Press {reload} to load the file again.");
                self.state.put_message(Topic::Cancelled, text);
            }
            Some((Busy::Drawing, _)) => {
                self.painting.cancel_picture();
                // The picture that ends may be that of an earlier view.
                self.requested = Some(self.state.frame());
                self.is_picture_cancelled = true;
            }
            Some((Busy::LoadingOther, _)) => self.comparer.cancel_load(&mut self.state),
            // It has ended meanwhile, or ends soon.
            Some((Busy::Stopping, _)) | None => {}
        }
        self.window.request_redraw();
    }

    /// Saves the times of the last picture in the current folder.
    fn save_trace(&mut self) {
        let times = &self.performance.last.gpu;
        if times.is_empty() {
            self.state.fail_command("there are no times on the GPU to save".to_owned());
            return;
        }
        match trace::save(".".as_ref(), self.state.file_name(), times) {
            Ok(path) => self.state.notify(format!("saved {}", path.display())),
            Err(error) => {
                self.state.fail_command(format!("cannot save the trace in the current folder: {error}"));
            }
        }
    }

    /// Shows the comparison of the current drawing with another one.
    pub(super) fn show_compared(&mut self, compared: Compared) {
        match compared {
            Ok((comparison, view)) => {
                let names = self.comparer.names();
                let pictures = ComparedPictures::new(&self.gui.context, &comparison, view, names);
                self.gui.panels.canvas.compared = Some(pictures);
            }
            Err(reason) => {
                self.state.compare = None;
                self.state.fail_command(format!("cannot compare: {reason}"));
            }
        }
    }
}
