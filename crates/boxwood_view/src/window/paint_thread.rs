//! The thread that draws, so that the window stays responsive meanwhile.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use boxwood::native::Gpu;
use boxwood_render::{Frame, Running};
use boxwood_svg::CancelToken;

use super::error::ViewError;
use super::open_window::ViewExport;
use super::paint_worker::PaintWorker;
use super::thread::{Report, spawn};
use crate::model::Model;

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
    /// Lose the device, as a driver that crashes does.
    #[cfg(test)]
    Lose,
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
    /// A debugger captures the picture with the number `capture_frame`. RenderDoc supports one
    /// device per instance, so the thread then shares that of the window.
    pub(crate) fn start(
        gpu: &Gpu,
        capture_frame: Option<u32>,
        running: Running,
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
            let jobs = first.into_iter().chain(queued);
            let ended = PaintWorker::open(&gpu, capture_frame, cancel_in_thread, &running)
                .and_then(|worker| worker.run(jobs, report));
            if let Err(error) = ended {
                report(Report::Failed(error));
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

    /// Cancels the current picture, which ends after the part that is being drawn. Other jobs go
    /// on.
    ///
    /// The export of a view reads the same token. [`begin`](Self::begin) resets it.
    pub(crate) fn cancel_picture(&self) {
        if self.work.is_some_and(|work| work.is_picture) {
            self.cancel.set(true);
        }
    }

    /// Stops waiting for the current job. The thread ends with the process.
    pub(crate) fn abandon(&mut self) {
        self.cancel.set(true);
        self.thread = None;
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::model::tests::model;
    use crate::state::Area;
    use crate::state::tests::state;
    use crate::window::thread::Done;

    #[test]
    fn only_a_picture_is_cancelled() {
        let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
        let mut thread =
            PaintThread::start(&gpu, None, Running::default(), |_| {}).expect("a thread can start");
        for is_picture in [false, true] {
            thread.work = Some(Work { is_picture, since: Instant::now() });
            thread.cancel_picture();
            assert_eq!(thread.cancel.is_set(), is_picture);
        }
    }

    #[test]
    fn the_drawing_is_drawn_on_another_device_after_the_first_is_lost() {
        let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
        let (sender, reports) = mpsc::channel();
        let (running, stages) = (Running::default(), Arc::new(Mutex::new(Vec::new())));
        let (running_then, stages_then) = (running.clone(), Arc::clone(&stages));
        let report = move |report| {
            if matches!(report, Report::DeviceLost(_)) {
                let times = running_then.stages();
                *stages_then.lock().expect("it is only read") = times.iter().map(|time| time.stage).collect();
            }
            sender.send(report).expect("the test waits");
        };
        let mut thread = PaintThread::start(&gpu, None, running, report).expect("a thread can start");
        let model = Arc::new(model(r#"<rect width="50" height="100" fill="red"/>"#));
        let mut state = state(1);
        state.view.resize(Area::whole([32, 32]), 1.0);
        state.view.show(model.drawing.size);
        let mut end_of = |job| {
            let mut losses = Vec::new();
            thread.begin(job);
            loop {
                match reports.recv().expect("the thread reports") {
                    Report::DeviceLost(reason) => losses.push(reason),
                    Report::Painter(done) => {
                        thread.work = None;
                        return (losses, done);
                    }
                    _ => panic!("a painter reports nothing else"),
                }
            }
        };
        let paint = || Job::Paint { frame: Box::new(state.frame()), reads_boxes: false };
        let (_, set) = end_of(Job::SetDrawing(1, model));
        assert!(matches!(set, Done::DrawingSet(1, Ok(()))));
        let (losses, Done::Painted(Ok(before))) = end_of(paint()) else { panic!("there is no picture") };
        assert!(losses.is_empty(), "{losses:?}");
        end_of(Job::Lose);
        let (losses, done) = end_of(paint());
        let after = match done {
            Done::Painted(Ok(after)) => after,
            Done::Painted(Err(error)) => panic!("there is no picture: {error:?} {losses:?}"),
            _ => panic!("another job has ended"),
        };
        assert_eq!(losses, ["Destroyed"]);
        let stages = stages.lock().expect("no thread panics").clone();
        assert_eq!(stages, ["shaders", "boxes of the scene"], "those of the failed attempt are gone");
        assert_eq!(before.image, after.image);
    }
}
