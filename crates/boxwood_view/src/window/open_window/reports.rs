//! Handles the reports of other threads.

use std::sync::Arc;

use boxwood_render::{RenderError, with_sources};
use boxwood_svg::{Drawing, Drawn, Error, Shown};

use super::{Closed, Job, OpenWindow};
use crate::commands::Command;
use crate::model::Model;
use crate::panels::{LinedPicture, Picture};
use crate::state::{Request, Sheet, Topic};
use crate::window::error::ViewError;
use crate::window::fonts;
use crate::window::gui::Gui;
use crate::window::inputs::ViewInput;
use crate::window::thread::{Done, Painted, Report, reporter};

/// The notice if a dialog of the desktop returns no file.
const NOTHING_CHOSEN: &str = "No file was chosen. If the desktop has no file dialog, type a path here.";

impl OpenWindow {
    /// Handles a report of another thread.
    pub(crate) fn receive(&mut self, report: Report) -> Result<(), Closed> {
        if self.is_closing() {
            return self.receive_at_close(report);
        }
        match report {
            Report::FileChanged => self.load(),
            Report::Listed(list) => {
                let panels = &mut self.gui.panels;
                self.browser.relist(list, panels, &mut self.state);
            }
            Report::Thumbnail(path, thumbnail) => {
                let Gui { context, panels, .. } = &mut self.gui;
                panels.files.add_thumbnail(context, path, thumbnail.map(|thumbnail| thumbnail.image));
            }
            Report::Chosen(sheet, paths) if paths.is_empty() => {
                self.state.sheet = Some(sheet);
                self.state.notify(NOTHING_CHOSEN.to_owned());
            }
            Report::Chosen(Sheet::Compare, mut paths) => self.compare_with(ViewInput::Path(paths.remove(0))),
            Report::Chosen(_, paths) => self.state.request(Request::Open(paths)),
            Report::ChosenToSave(what, drawing, Some(path)) => self.export_chosen(what, drawing, path),
            Report::ChosenToSave(_, _, None) => self.state.notify(NOTHING_CHOSEN.to_owned()),
            Report::Loaded(ticket, _) if ticket != self.loader.ticket() => {}
            Report::Loaded(ticket, Ok(model)) => self.show(ticket, model),
            Report::Loaded(_, Err(error)) => self.fail(with_sources(&error)),
            Report::Previewed(ticket, _) if ticket != self.loader.ticket() => {}
            Report::Previewed(_, preview) => {
                self.gui.panels.canvas.preview = preview.map(|preview| self.picture(preview));
            }
            Report::Details(ticket, details) => {
                self.details_of.take_if(|source| *source == details.source);
                if ticket == self.loader.ticket() {
                    self.details = Some(*details);
                }
            }
            Report::Data(n_models, frame, picture) => {
                if self.data_views.receive(n_models, frame, picture, &mut self.state) {
                    let data = self.data_views.picture.as_deref();
                    self.gui.panels.canvas.show_data(&self.gui.context, data);
                }
            }
            Report::OtherChanged => {
                let report = reporter(&self.proxy);
                if let Err(error) = self.comparer.load(self.loader.options(), report) {
                    self.state.fail_command(with_sources(&error));
                }
            }
            Report::OtherLoaded(ticket, loaded) => {
                self.comparer.take_other(ticket, loaded, &mut self.state);
            }
            Report::Compared(n_pairs, compared) => {
                if self.comparer.receive(n_pairs) {
                    self.show_compared(*compared);
                }
            }
            Report::Shaders(shaders) => self.take_shaders(shaders),
            Report::Captured(number) => {
                self.state.notify(format!("Picture {number} was captured. RenderDoc lists the capture."));
            }
            Report::Exported => self.report_exports(),
            Report::Font(font) => fonts::add(&self.gui.context, font),
            Report::NoFont(c) => self.state.notify(fonts::notice(c)),
            Report::DeviceLost(reason) => self.notify_lost_device(&reason),
            Report::Painter(done) => self.end_job(done)?,
            Report::Failed(error) => return Err(error.into()),
            Report::Access(event) => {
                self.gui.take_access_event(event.window_event);
            }
        }
        self.window.request_redraw();
        Ok(())
    }

    /// Shows the facts about a drawing at once, and gives it to the painter.
    fn show(&mut self, ticket: u64, model: Arc<Model>) {
        self.browser.add_recent(&mut self.state);
        self.state.replace_model(self.model.as_deref(), &model);
        self.state.show(model.drawing.size, warnings(&model.drawing));
        self.painting.cancel_picture();
        self.next_job = Some(Job::SetDrawing(ticket, Arc::clone(&model)));
        self.is_picture_cancelled = false;
        self.pacing.restart();
        self.preview(Arc::clone(&model));
        let previous = self.model.replace(model);
        previous.iter().for_each(|model| self.comparer.remember(Arc::clone(model), true));
        self.comparer.show(self.state.file_name().to_owned());
        self.gui.panels.canvas.compared = None;
        self.data_views.replace_model(previous);
        self.performance.restart();
        self.details = None;
        self.details_of = None;
    }

    /// Starts drawing a preview of the current drawing.
    pub(super) fn preview(&mut self, model: Arc<Model>) {
        let (ticket, background) = (self.loader.ticket(), self.state.background);
        // A preview is drawn again by the background alone, so its scale need not follow the view.
        let scale = self.state.view.device_from_scene().scale.max(self.state.view.scale_factor());
        if let Err(error) = self.previewer.start(ticket, model, background, scale) {
            self.state.fail_command(with_sources(&error));
        }
    }

    /// A picture for the screen.
    fn picture(&self, Painted { image, device_from_scene, .. }: Painted) -> Picture {
        Picture::new(&self.gui.context, image, device_from_scene)
    }

    /// Handles the end of a job of the painter.
    pub(super) fn end_job(&mut self, done: Done) -> Result<(), ViewError> {
        let work = self.painting.work.take();
        if self.next_job.is_some() && matches!(done, Done::Painted(_)) {
            // The next job replaces the drawing, so this is a picture of the drawing before.
            return Ok(());
        }
        // Another overlay over the same drawing says nothing about the time for a picture.
        let is_drawn = !matches!(&done, Done::Painted(Ok(picture)) if picture.costs.n_parts == 0);
        let work = work.filter(|work| work.is_picture && is_drawn);
        let is_cancelled = matches!(done, Done::Painted(Err(_)));
        work.iter().for_each(|work| self.pacing.end(work.since.elapsed(), is_cancelled));
        self.finish(done)
    }

    /// Handles the result of a job of the painter.
    fn finish(&mut self, done: Done) -> Result<(), ViewError> {
        match done {
            Done::Cleared => {}
            Done::DrawingSet(ticket, _) if ticket != self.loader.ticket() => {}
            Done::DrawingSet(_, Ok(())) => self.end_loading(),
            Done::DrawingSet(_, Err(error)) => {
                self.fail_drawing(&error);
                self.end_loading();
            }
            Done::Painted(Ok(mut picture)) => {
                if picture.costs.n_parts > 0 {
                    self.performance.add(std::mem::take(&mut picture.costs));
                }
                if let Some(boxes) = picture.boxes.take() {
                    self.data_views.set_frame_boxes(boxes);
                }
                let Painted { image, overlay, device_from_scene, .. } = *picture;
                // Nothing stops the last part of a picture. It may be that of an earlier view.
                let (drawn, shown) = (device_from_scene, self.state.frame().view);
                self.is_picture_cancelled &=
                    drawn.scale != shown.scale || drawn.translation != shown.translation;
                if self.is_picture_cancelled {
                    self.notify_cancelled_picture();
                }
                let picture = LinedPicture::new(&self.gui.context, image, overlay, device_from_scene);
                self.gui.panels.canvas.picture = Some(picture);
            }
            Done::Painted(Err(RenderError::Drawing(Error::Cancelled(_)))) => {
                self.performance.cancel();
                if self.is_picture_cancelled {
                    self.notify_cancelled_picture();
                } else {
                    self.requested = None;
                }
            }
            Done::Painted(Err(error)) if self.state.is_drawable() => {
                self.fail_drawing(&error);
                self.next_job = Some(Job::Clear);
            }
            Done::Painted(Err(error)) => return Err(error.into()),
            Done::ShaderSet(replaced) => self.take_overlay(replaced),
            Done::View(export, picture) => self.finish_export(*export, picture),
        }
        Ok(())
    }

    /// Says how to draw the picture that the user has cancelled.
    fn notify_cancelled_picture(&mut self) {
        let reload = Command::Reload.info().keys_text();
        let text = format!("The picture was cancelled. Change the view or press {reload} to draw it.");
        self.state.put_message(Topic::Cancelled, text);
    }

    /// Shows the reason why the current file, or its current state, cannot be shown.
    pub(super) fn fail(&mut self, error: String) {
        self.state.put_message(Topic::File, error);
        self.end_loading();
    }

    fn end_loading(&mut self) {
        if self.loader.end() {
            self.load();
        }
        self.window.request_redraw();
    }

    /// Shows the error over the preview of the drawing. The last picture may be that of an earlier
    /// version.
    fn fail_drawing(&mut self, error: &RenderError) {
        let file = self.browser.file(self.state.files.current());
        self.state.fail_drawing(format!("cannot draw {file}: {}", with_sources(error)));
        self.gui.panels.canvas.picture = None;
        self.requested = None;
    }
}

/// The warnings about a drawing's picture and boxes, one per line.
fn warnings(drawing: &Drawing) -> Option<String> {
    let shown = Shown { boxes: true, picture: Some(Drawn::Encoding) };
    let lines: Vec<String> = drawing.warnings.iter().filter_map(|warning| warning.message(shown)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
