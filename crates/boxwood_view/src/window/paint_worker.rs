//! The work of the thread that draws.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boxwood::native::Gpu;
use boxwood_render::{Frame, Painter, PictureTextures, RenderError, Running};
use boxwood_svg::CancelToken;
use wgpu::DeviceType;

use super::error::ViewError;
use super::loss::Loss;
use super::paint_thread::Job;
use super::panics::{Caught, catch};
use super::priority::lower_priority;
use super::thread::{Done, Painted, Report};
use crate::capture::capture;
use crate::model::Model;
use crate::panels::pixels;

/// The longest wait for the work of a device after an error. A lost device ends its work at once,
/// and another one has little work left after an error. Only a device that hangs takes the whole
/// second.
const LOSS_TIMEOUT: Duration = Duration::from_secs(1);

/// A painter, with everything that another one needs if its device is lost.
pub(super) struct PaintWorker {
    gpu: Gpu,
    loss: Loss,
    painter: Painter,
    cancel: CancelToken,
    /// The drawing of the painter.
    model: Option<Arc<Model>>,
    /// The shader of its overlay, if it was replaced.
    shader: Option<String>,
    /// The number of the picture that a debugger captures.
    capture_frame: Option<u32>,
    /// The number of pictures that are drawn.
    n_pictures: u32,
}

impl PaintWorker {
    /// Opens a device on the adapter of the window, and compiles shaders.
    pub(super) fn open(
        of_window: &Gpu,
        capture_frame: Option<u32>,
        cancel: CancelToken,
        running: &Running,
    ) -> Result<Self, ViewError> {
        running.restart("shaders");
        if capture_frame.is_some() {
            // The window watches its device.
            let opened = Self::on(of_window.clone(), Loss::default(), cancel, running)?;
            return Ok(Self { capture_frame, ..opened });
        }
        let gpu = if of_window.adapter.get_info().device_type == DeviceType::Cpu {
            // An adapter in software draws in threads of its instance. They have the priority of
            // this thread if it opens the first device of the instance.
            lower_priority();
            of_window.open_apart()?
        } else {
            of_window.open_again()?
        };
        let loss = Loss::watch(&gpu.device);
        Self::on(gpu, loss, cancel, running)
    }

    fn on(gpu: Gpu, loss: Loss, cancel: CancelToken, running: &Running) -> Result<Self, ViewError> {
        let painter = Painter::with_cancel(&gpu, cancel.clone(), running.clone())?;
        let (model, shader, capture_frame, n_pictures) = (None, None, None, 0);
        Ok(Self { gpu, loss, painter, cancel, model, shader, capture_frame, n_pictures })
    }

    /// Does the jobs, and reports the end of each. If the device is lost, the job is done once more
    /// on another one.
    pub(super) fn run(
        mut self,
        jobs: impl Iterator<Item = Job>,
        report: &impl Fn(Report),
    ) -> Result<(), ViewError> {
        self.painter.running().end();
        for job in jobs {
            let mut done = self.attempt(&job, report);
            if let Some(reason) = self.loss.reason() {
                self = self.reopened()?;
                report(Report::DeviceLost(reason));
                self.painter.running().end();
                done = self.attempt(&job, report);
            }
            self.painter.running().end();
            report(Report::Painter(done));
        }
        Ok(())
    }

    /// The same painter on another device.
    fn reopened(self) -> Result<Self, ViewError> {
        self.painter.running().restart("shaders");
        let gpu = self.gpu.open_apart()?;
        let loss = Loss::watch(&gpu.device);
        let mut reopened = Self::on(gpu, loss, self.cancel, self.painter.running())?;
        if let Some(model) = self.model {
            reopened.painter.running().begin("boxes of the scene");
            reopened.painter.set_drawing(&model.drawing)?;
            reopened.model = Some(model);
        }
        if let Some(shader) = self.shader {
            reopened.painter.set_overlay_shader(&shader)?;
            reopened.shader = Some(shader);
        }
        Ok(reopened)
    }

    /// Does a job. If the device is lost by the end of it, the job fails with that error.
    fn attempt(&mut self, job: &Job, report: &impl Fn(Report)) -> Done {
        let loss = self.loss.clone();
        let done = catch(Caught::IfLost(loss.clone()), || self.do_job(job, report));
        match (done, loss.reason()) {
            (_, Some(reason)) => failed(job, RenderError::DeviceLost(reason)),
            (Ok(done), None) => done,
            (Err(payload), None) => std::panic::resume_unwind(payload),
        }
    }

    fn do_job(&mut self, job: &Job, report: &impl Fn(Report)) -> Done {
        let painter = &mut self.painter;
        let done = match job {
            Job::SetDrawing(ticket, model) => {
                // If the drawing cannot be set, pictures must not show the drawing before.
                painter.running().restart("boxes of the scene");
                painter.clear_drawing();
                self.model = None;
                let set = painter.set_drawing(&model.drawing);
                if set.is_ok() {
                    self.model = Some(Arc::clone(model));
                }
                Done::DrawingSet(*ticket, set)
            }
            Job::Clear => {
                painter.clear_drawing();
                self.model = None;
                Done::Cleared
            }
            Job::Paint { frame, reads_boxes } => {
                let number = self.n_pictures + 1;
                let is_captured = self.capture_frame == Some(number);
                let mut work = || paint(painter, frame, *reads_boxes);
                let painted = if is_captured { capture(&self.gpu.device, work) } else { work() };
                // A picture that was cancelled is drawn again, and has the same number then.
                if painted.is_ok() {
                    self.n_pictures = number;
                    if is_captured {
                        report(Report::Captured(number));
                    }
                }
                Done::Painted(painted)
            }
            Job::SetOverlayShader(source) => {
                let set = painter.set_overlay_shader(source);
                if set.is_ok() {
                    self.shader = Some(source.clone());
                }
                Done::ShaderSet(set)
            }
            Job::Export(export) => {
                let picture = painter.paint(&export.frame).and_then(|picture| painter.read(&picture));
                // They are not those of a picture in the window.
                drop(painter.take_costs());
                Done::View(export.clone(), picture)
            }
            #[cfg(test)]
            Job::Lose => {
                self.gpu.device.destroy();
                Done::Cleared
            }
        };
        // A loss that nothing has waited for is noticed here. It is reported only when the device
        // has ended its work, and may be the reason for an error.
        let poll = if may_be_loss(&done) {
            wgpu::PollType::Wait { submission_index: None, timeout: Some(LOSS_TIMEOUT) }
        } else {
            wgpu::PollType::Poll
        };
        let _ = self.gpu.device.poll(poll);
        done
    }
}

/// Whether a job has failed with an error that a lost device can cause.
fn may_be_loss(done: &Done) -> bool {
    let (Done::DrawingSet(_, Err(error))
    | Done::Painted(Err(error))
    | Done::ShaderSet(Err(error))
    | Done::View(_, Err(error))) = done
    else {
        return false;
    };
    matches!(error, RenderError::Renderer(_) | RenderError::Device(_))
}

/// The end of a job with an error.
fn failed(job: &Job, error: RenderError) -> Done {
    match job {
        Job::SetDrawing(ticket, _) => Done::DrawingSet(*ticket, Err(error)),
        Job::Clear => Done::Cleared,
        Job::Paint { .. } => Done::Painted(Err(error)),
        Job::SetOverlayShader(_) => Done::ShaderSet(Err(error)),
        Job::Export(export) => Done::View(export.clone(), Err(error)),
        #[cfg(test)]
        Job::Lose => Done::Cleared,
    }
}

/// Draws a picture, and copies it to memory.
fn paint(painter: &mut Painter, frame: &Frame, reads_boxes: bool) -> Result<Box<Painted>, RenderError> {
    let (PictureTextures { picture, overlay }, boxes) =
        if reads_boxes { painter.paint_with_boxes(frame)? } else { (painter.paint_apart(frame)?, None) };
    painter.running().begin("read back");
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::model::tests::model;
    use crate::state::Area;
    use crate::state::tests::state;

    /// A device whose buffers have at most this size in bytes.
    fn gpu_with_buffers_of(max_buffer_size: u64) -> Gpu {
        let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
        let limits = gpu.device.limits();
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits { max_buffer_size, ..limits },
            ..Default::default()
        };
        let opened = pollster::block_on(gpu.adapter.request_device(&descriptor));
        let (device, queue) = opened.expect("the adapter has larger buffers");
        Gpu { device, queue, ..gpu }
    }

    #[test]
    fn a_drawing_that_is_too_large_replaces_the_one_before() {
        let gpu = gpu_with_buffers_of(1 << 16);
        let opened = PaintWorker::on(gpu, Loss::default(), CancelToken::default(), &Running::default());
        let mut worker = opened.expect("the adapter runs the renderer");
        let mut set = |n| {
            let job = Job::SetDrawing(1, Arc::new(model(&r#"<rect width="1" height="1"/>"#.repeat(n))));
            let Done::DrawingSet(1, set) = worker.do_job(&job, &|_| {}) else { panic!("it is another job") };
            (set.is_ok(), worker.model.is_some(), worker.painter.has_drawing())
        };
        assert_eq!(set(1), (true, true, true));
        // Each element takes 16 bytes of a buffer.
        assert_eq!(set(5000), (false, false, false));
    }

    #[test]
    fn a_picture_that_is_cancelled_is_captured_when_it_is_drawn_again() {
        let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
        let cancel = CancelToken::default();
        let worker =
            PaintWorker::open(&gpu, Some(1), cancel.clone(), &Running::default()).expect("the device is new");
        let model = Arc::new(model(r#"<rect width="50" height="100" fill="red"/>"#));
        let mut state = state(1);
        state.view.resize(Area::whole([32, 32]), 1.0);
        state.view.show(model.drawing.size);
        let set = (false, Job::SetDrawing(1, model));
        let paint =
            |is_cancelled| (is_cancelled, Job::Paint { frame: Box::new(state.frame()), reads_boxes: false });
        let jobs = [set, paint(true), paint(false), paint(false)].into_iter();
        let jobs = jobs.map(|(is_cancelled, job)| {
            cancel.set(is_cancelled);
            job
        });
        let reports = RefCell::new(Vec::new());
        let report = |report| {
            reports.borrow_mut().push(match report {
                Report::Captured(number) => format!("captured {number}"),
                Report::Painter(Done::Painted(painted)) => format!("drawn {}", painted.is_ok()),
                _ => "other".to_owned(),
            });
        };
        assert!(worker.run(jobs, &report).is_ok());
        assert_eq!(*reports.borrow(), ["other", "drawn false", "captured 1", "drawn true", "drawn true"]);
    }
}
