//! The thread that draws, so that the window stays responsive meanwhile.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use boxwood::native::Gpu;
use boxwood_svg::CancelToken;

use super::error::ViewError;
use super::open_window::ViewExport;
use super::thread::{Done, Painted, Report, spawn};
use crate::error::RenderError;
use crate::gpu::{Painter, PictureTextures, capture};
use crate::model::Model;
use crate::panels::pixels;
use crate::picture::Frame;

/// The thread waits this long for a first job before it compiles shaders. Nearly every drawing is
/// loaded by then, and no core compiles while the drawing is loaded.
const HEAD_START: Duration = Duration::from_millis(250);

/// A job for the thread.
pub(crate) enum Job {
    /// Show another drawing, which is known by a ticket.
    SetDrawing(u64, Arc<Model>),
    /// Show no drawing.
    Clear,
    /// Draw a picture, and read back the boxes that it is drawn with if they are wanted.
    Paint { frame: Box<Frame>, reads_boxes: bool },
    /// Replace the shader of the overlay.
    SetOverlayShader(String),
    /// Draw a picture for a file.
    Export(Box<ViewExport>),
}

/// The job that the thread is working on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    pub(crate) is_picture: bool,
    pub(crate) since: Instant,
}

/// A painter in its own thread. Dropping it cancels the picture, and waits for the thread.
pub(crate) struct PaintThread {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    cancel: CancelToken,
    /// `None` if the thread is idle. The owner resets it when the thread reports that it is done.
    pub(crate) work: Option<Work>,
}

impl PaintThread {
    /// Starts the thread. With its first job or after [`HEAD_START`], it opens a device of its own
    /// on the adapter of `gpu`, and compiles shaders. It calls `report` after each job.
    ///
    /// The window presents on another device, because a device executes its work in order: what
    /// the window presents would wait for the picture. Pictures are copied through memory, which
    /// takes a few milliseconds.
    ///
    /// A debugger captures the picture with the number `capture_frame`. RenderDoc supports one device
    /// per instance, so the thread then shares that of the window.
    pub(crate) fn start(
        gpu: &Gpu,
        capture_frame: Option<u32>,
        report: impl Fn(Report) + Send + 'static,
    ) -> Result<Self, ViewError> {
        let (jobs, queued) = mpsc::channel();
        let cancel = CancelToken::default();
        let (gpu, cancel_in_thread) = (gpu.clone(), cancel.clone());
        let thread = spawn("boxwood_paint", report, move |report| {
            let first = match queued.recv_timeout(HEAD_START) {
                Ok(job) => Some(job),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let own = if capture_frame.is_some() { Ok(gpu) } else { gpu.open_again() };
            let painter = own
                .map_err(ViewError::from)
                .and_then(|gpu| Painter::with_cancel(&gpu, cancel_in_thread).map_err(ViewError::from));
            match painter {
                Ok(painter) => run(painter, first.into_iter().chain(queued), capture_frame, report),
                Err(error) => report(Report::Failed(error)),
            }
        })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread), cancel, work: None })
    }

    /// Starts a job. The thread must be idle.
    pub(crate) fn begin(&mut self, job: Job) {
        debug_assert!(self.work.is_none(), "one job at a time");
        self.cancel.set(false);
        let is_picture = matches!(job, Job::Paint { .. });
        self.work = Some(Work { is_picture, since: Instant::now() });
        // A thread that has failed has reported that, and the window is about to close.
        let _ = self.jobs.as_ref().map(|jobs| jobs.send(job));
    }

    /// Cancels the current picture, which ends after the part that is being drawn.
    ///
    /// Other jobs go on: only pictures read the token, and [`begin`](Self::begin) resets it.
    pub(crate) fn cancel_picture(&self) {
        self.cancel.set(true);
    }
}

impl Drop for PaintThread {
    fn drop(&mut self) {
        self.cancel.set(true);
        self.jobs = None;
        // A panic has been reported.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn run(
    mut painter: Painter,
    jobs: impl Iterator<Item = Job>,
    capture_frame: Option<u32>,
    report: &impl Fn(Report),
) {
    let mut n_pictures = 0;
    for job in jobs {
        let done = match job {
            Job::SetDrawing(ticket, model) => Done::DrawingSet(ticket, painter.set_drawing(&model.drawing)),
            Job::Clear => {
                painter.clear_drawing();
                Done::Cleared
            }
            Job::Paint { frame, reads_boxes } => {
                n_pictures += 1;
                Done::Painted(if capture_frame == Some(n_pictures) {
                    let device = painter.device.clone();
                    let painted = capture(&device, || paint(&mut painter, &frame, reads_boxes));
                    report(Report::Captured(n_pictures));
                    painted
                } else {
                    paint(&mut painter, &frame, reads_boxes)
                })
            }
            Job::SetOverlayShader(source) => Done::ShaderSet(painter.set_overlay_shader(&source)),
            Job::Export(export) => {
                let picture = painter.paint(&export.frame).and_then(|picture| painter.read(&picture));
                // They are not those of a picture in the window.
                drop(painter.take_costs());
                Done::View(export, picture)
            }
        };
        report(Report::Painter(done));
    }
}

/// Draws a picture, and copies it to memory.
fn paint(painter: &mut Painter, frame: &Frame, reads_boxes: bool) -> Result<Box<Painted>, RenderError> {
    let (PictureTextures { picture, overlay }, boxes) =
        if reads_boxes { painter.paint_with_boxes(frame)? } else { (painter.paint_apart(frame)?, None) };
    let start = Instant::now();
    let picture = painter.read(&picture)?;
    let overlay = overlay.map(|overlay| painter.read(&overlay)).transpose()?;
    let read = start.elapsed();
    let mut costs = painter.take_costs();
    costs.cpu.push(("read back", read));
    // The picture is opaque, because the colour around the document is, and so are the lines of the
    // overlay.
    let overlay = overlay.as_ref().map(pixels);
    Ok(Box::new(Painted { costs, boxes, overlay, ..Painted::new(&picture, frame.view) }))
}
