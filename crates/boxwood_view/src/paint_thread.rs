//! The thread that draws, so that the window answers while it does.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use boxwood::native::Gpu;
use boxwood_svg::{CancelToken, Drawing, Drawn, Shown};
use kurbo::Size;

use crate::error::{RenderError, ViewError};
use crate::frame::Frame;
use crate::painter::Painter;

/// What the thread has done. It does one thing at a time, and then nothing until it is asked again, so that whoever
/// asks can use the device meanwhile without waiting for a drawing.
#[derive(Debug)]
pub(crate) enum Done {
    /// It has compiled what it needs.
    Ready(Result<(), RenderError>),
    /// It has taken a scene, with this ticket, and computed its boxes.
    Taken(u64, Result<Taken, RenderError>),
    /// It shows no scene any more.
    Cleared,
    /// It has drawn a picture, which is its receiver's now.
    Painted(Result<wgpu::Texture, RenderError>),
}

/// A scene that the painter has.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) size: Size,
    /// What its picture or boxes lack, as a notice.
    pub(crate) warnings: Option<String>,
}

/// What the painter is to show.
#[derive(Debug)]
pub(crate) enum Change {
    /// A scene, known by a ticket.
    Drawing(u64, Box<Drawing>),
    /// Nothing.
    Clear,
}

enum Job {
    Change(Change),
    /// A picture, and a texture that may be drawn over.
    Paint(Box<Frame>, Option<wgpu::Texture>),
}

/// What the thread is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Prepare,
    Paint,
}

/// A painter in a thread of its own. Dropped, it waits for what is on the device.
pub(crate) struct PaintThread {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    stop: CancelToken,
    /// What it is at, and since when. It is told what it has done by [`PaintThread::finish`].
    work: Option<(Work, Instant)>,
}

impl PaintThread {
    /// Starts a painter, which compiles shaders at first. `done` is called in its thread.
    pub(crate) fn start(gpu: &Gpu, done: impl Fn(Done) + Send + 'static) -> Result<Self, ViewError> {
        let (jobs, todo) = mpsc::channel();
        let stop = CancelToken::default();
        let (device, queue, stop_painting) = (gpu.device.clone(), gpu.queue.clone(), stop.clone());
        let work = move || match Painter::on(device, queue, stop_painting) {
            Ok(painter) => {
                done(Done::Ready(Ok(())));
                run(painter, &todo, done);
            }
            Err(error) => done(Done::Ready(Err(error))),
        };
        let thread = thread::Builder::new().name("boxwood_paint".to_owned()).spawn(work);
        let thread = thread.map_err(|source| ViewError::Thread { source })?;
        let work = Some((Work::Prepare, Instant::now()));
        Ok(Self { jobs: Some(jobs), thread: Some(thread), stop, work })
    }

    /// What it is at, and since when.
    pub(crate) fn work(&self) -> Option<(Work, Instant)> {
        self.work
    }

    /// Changes the scene. Only while it does nothing.
    pub(crate) fn change(&mut self, change: Change) {
        self.begin(Work::Prepare, Job::Change(change));
    }

    /// Draws a picture, over `spare` if that fits. Only while it does nothing.
    pub(crate) fn paint(&mut self, frame: Frame, spare: Option<wgpu::Texture>) {
        self.begin(Work::Paint, Job::Paint(Box::new(frame), spare));
    }

    fn begin(&mut self, work: Work, job: Job) {
        debug_assert!(self.work.is_none(), "one job at a time");
        self.stop.set(false);
        self.work = Some((work, Instant::now()));
        // A thread that has panicked takes no job. Nothing is drawn any more, but the window can be closed.
        let _ = self.jobs.as_ref().map(|jobs| jobs.send(job));
    }

    /// Notes that it has said that it is done.
    pub(crate) fn finish(&mut self) {
        self.work = None;
    }

    /// Stops a picture that is not wanted any more, between two of its parts.
    pub(crate) fn stop_painting(&self) {
        if matches!(self.work, Some((Work::Paint, _))) {
            self.stop.set(true);
        }
    }
}

impl Drop for PaintThread {
    fn drop(&mut self) {
        self.stop.set(true);
        self.jobs = None;
        // If it has panicked, that has been printed.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn run(mut painter: Painter, todo: &Receiver<Job>, done: impl Fn(Done)) {
    while let Ok(job) = todo.recv() {
        done(match job {
            Job::Change(Change::Drawing(ticket, drawing)) => {
                let taken = painter.set_drawing(&drawing);
                Done::Taken(
                    ticket,
                    taken.map(|()| Taken { size: drawing.size, warnings: warnings(&drawing) }),
                )
            }
            Job::Change(Change::Clear) => {
                painter.clear_drawing();
                Done::Cleared
            }
            Job::Paint(frame, spare) => Done::Painted(painter.paint_over(&frame, spare)),
        });
    }
}

/// What a scene's picture or boxes lack, as a notice.
fn warnings(drawing: &Drawing) -> Option<String> {
    let shown = Shown { boxes: true, picture: Some(Drawn::Encoding) };
    let lines: Vec<String> = drawing.warnings.iter().filter_map(|warning| warning.message(shown)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
