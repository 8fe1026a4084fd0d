//! The thread that draws thumbnails.

use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use boxwood_render::{Background, Preview};
use boxwood_svg::{Deadline, Options};
use winit::event_loop::EventLoopProxy;

use super::error::ViewError;
use super::inputs::ViewInput;
use super::thread::{Painted, Report, reporter, spawn};
use crate::panels::THUMBNAIL_SIDE;

/// A drawing that takes longer to load, or to draw, has no thumbnail.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Draws thumbnails of the files that are seen in the list, on the CPU.
pub(crate) struct Thumbnails {
    /// The files that are seen, with their paths as in the list. A new list replaces the last one.
    wanted: Sender<Vec<(String, ViewInput)>>,
}

impl Thumbnails {
    /// Starts the thread.
    pub(crate) fn start(proxy: &EventLoopProxy<Report>, options: &Options) -> Result<Self, ViewError> {
        let (wanted, lists) = mpsc::channel::<Vec<(String, ViewInput)>>();
        let options = Options { time_limit: Some(TIME_LIMIT), ..options.clone() };
        spawn("boxwood_thumbnails", reporter(proxy), move |report| {
            let mut list = Vec::new().into_iter();
            loop {
                // Only the files that are seen now are drawn.
                if let Some(newest) = lists.try_iter().last() {
                    list = newest.into_iter();
                }
                let Some((path, file)) = list.next() else {
                    let Ok(newest) = lists.recv() else { return };
                    list = newest.into_iter();
                    continue;
                };
                report(Report::Thumbnail(path, draw(&file, &options)));
            }
        })?;
        Ok(Self { wanted })
    }

    /// Asks for the thumbnails of files instead of those before. The list of the panel remembers
    /// which are drawn.
    pub(crate) fn want(&self, files: Vec<(String, ViewInput)>) {
        // A thread that has ended has reported why.
        let _ = self.wanted.send(files);
    }
}

/// The thumbnail of a file. `None` if the file cannot be drawn.
fn draw(file: &ViewInput, options: &Options) -> Option<Painted> {
    let drawing = file.load(options).ok()?;
    let deadline = Deadline::after(Some(TIME_LIMIT));
    let preview =
        Preview::draw(&drawing, Background::WHITE, THUMBNAIL_SIDE, f64::INFINITY, &deadline).ok()?;
    Some(Painted::new(&preview.image, preview.device_from_scene))
}
