//! One frame: recording, running, and growing buffers.

use boxwood::{ReadBackError, Staging};
use vello::low_level::Render;
use vello_encoding::{BumpAllocators, ConfigUniform, Resolver};

use super::Renderer;
use super::check::check;
use super::in_flight::Counters;
use crate::bump::Usage;
use crate::compile::checked;
use crate::engine::{Frame, Resources, Run};
use crate::error::Error;
use crate::memory::draw_info;
use crate::options::{ClipStage, OnOverflow};
use crate::passes::PassKind;
use crate::recording::Recorded;

impl Renderer {
    /// Draws a frame. Returns its counters if they were waited for or awaited.
    pub(super) async fn render(
        &mut self,
        frame: &Frame<'_>,
        counters: Counters,
    ) -> Result<Option<BumpAllocators>, Error> {
        self.has_boxes = false;
        if counters != Counters::Deferred {
            self.usage = None;
        }
        let n_info = check(&self.options, &frame.device.limits(), frame.encoding, frame.params)?;
        let sizes = self.sizes;
        let mut has_run = false;
        let result = self.draw(frame, n_info, counters, &mut has_run).await;
        self.has_boxes = result.is_ok() && self.with_boxes;
        if result.is_err() {
            // A device without memory for the grown buffers may have enough for later scenes.
            self.sizes = sizes;
            if !has_run {
                // The resolver takes the images of this frame for uploaded.
                self.engine.resources = Resources::default();
                self.resolver = Resolver::new();
                (self.image_atlas, self.no_images) = (None, None);
            }
        }
        result
    }

    async fn draw(
        &mut self,
        frame: &Frame<'_>,
        n_info: u64,
        counters: Counters,
        has_run: &mut bool,
    ) -> Result<Option<BumpAllocators>, Error> {
        let device = frame.device;
        let mut recorded = self.record(frame, n_info)?;
        loop {
            let config = self.sizes.apply(&mut recorded.recording)?;
            // The needs that are known before anything is counted. Vello does not check them.
            let mut usage = Usage::new(config, &BumpAllocators::default());
            let mut counted = None;
            if usage.overflow().is_none() {
                let staging = (counters != Counters::Ignored).then(|| self.in_flight.staging(device));
                let submission =
                    checked(device, Error::Gpu, || self.run(frame, &recorded, config, staging.as_ref()))?;
                *has_run = true;
                let Some(staging) = staging else { return Ok(None) };
                let values = match counters {
                    Counters::Deferred => {
                        self.in_flight.push(config, submission, staging);
                        return Ok(None);
                    }
                    Counters::Awaited => staging.start_read(1).await?,
                    Counters::Waited | Counters::Ignored => {
                        let counted = staging.start_read(1);
                        let submission_index = Some(submission);
                        let wait = wgpu::PollType::Wait { submission_index, timeout: None };
                        device.poll(wait).map_err(ReadBackError::from)?;
                        counted.await?
                    }
                };
                self.in_flight.reuse(staging);
                usage = Usage::new(config, &values[0]);
                self.usage = Some(usage);
                counted = Some(values[0]);
            }
            match (usage.overflow(), self.options.on_overflow) {
                (None, _) => return Ok(counted),
                (Some(_), OnOverflow::Grow) => {
                    self.sizes = self.sizes.grown(&usage, &config, &device.limits())?;
                    self.engine.resources.forget_free();
                }
                (Some(_), OnOverflow::Ignore) if counted.is_some() => return Ok(counted),
                (Some(overflow), _) => return Err(overflow.into()),
            }
        }
    }

    /// Records a scene with Vello's `Render`.
    fn record(&mut self, frame: &Frame<'_>, n_info: u64) -> Result<Recorded, Error> {
        let encoding = frame.encoding;
        let without_info = (n_info > draw_info::vello_max()).then(|| draw_info::without(encoding));
        // Vello frees the atlas after a frame without late-bound resources, although its resolver
        // takes the images in it for uploaded. So such a frame gets an atlas of its own.
        let has_resources = !encoding.resources.patches.is_empty();
        let atlas = if has_resources { &mut self.image_atlas } else { &mut self.no_images };
        let mut render = Render::new();
        let ids = &self.engine.shaders.ids;
        let mut recording = render.render_encoding_coarse(
            without_info.as_ref().unwrap_or(encoding),
            &mut self.resolver,
            ids,
            atlas,
            frame.params,
            false,
        );
        let target = render.out_image();
        render.record_fine(ids, &mut recording);
        if without_info.is_some() {
            draw_info::restore(&mut recording, encoding)?;
        }
        let has_clips = encoding.n_clips > 0;
        let passes = PassKind::choose([
            has_clips && self.options.clip_stage == ClipStage::Boxwood,
            self.with_boxes,
            has_clips && self.options.tighten_layers,
        ]);
        Ok(Recorded { recording, target, passes, hides_occluded: self.options.hide_occluded })
    }

    fn run(
        &mut self,
        frame: &Frame<'_>,
        recorded: &Recorded,
        config: ConfigUniform,
        staging: Option<&Staging>,
    ) -> Result<wgpu::SubmissionIndex, Error> {
        let run = Run { frame, recorded, config, counters: staging };
        let result = self.engine.run(&run, &mut self.profiler);
        #[cfg(feature = "wgpu-profiler")]
        if result.is_ok() {
            self.profiler.end_frame().expect("the engine closes and resolves every query");
            let times = self.profiler.process_finished_frame(frame.queue.get_timestamp_period());
            self.profile_result = times.or(self.profile_result.take());
        }
        #[cfg(feature = "debug_layers")]
        let result = result.and_then(|submission| {
            self.debug_layers.capture(&mut self.engine, &run)?;
            Ok(submission)
        });
        self.engine.resources.free(&recorded.recording.commands);
        result
    }
}
