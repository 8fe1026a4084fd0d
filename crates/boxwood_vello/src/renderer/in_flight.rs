//! The counters of frames that the device may still be drawing.

use std::collections::VecDeque;

use boxwood::{PendingRead, ReadBackError, Staging};
use vello_encoding::{BumpAllocators, ConfigUniform};

/// The maximum number of frames whose counters have not arrived. The next frame waits for the first
/// of them, so a slow device does not fall behind without a limit. Three is the usual length of a
/// swap chain.
const MAX_FRAMES: usize = 3;

/// The use of the counters of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counters {
    /// Do not read them.
    Ignored,
    /// Read them in a later call.
    Deferred,
    /// Block until the device has them.
    Waited,
    /// Await them. Somebody else polls the device.
    Awaited,
}

/// Frames in the order of their submissions, and unused staging buffers.
#[derive(Default)]
pub(super) struct InFlight {
    frames: VecDeque<PendingFrame>,
    spare: Vec<Staging>,
}

struct PendingFrame {
    config: ConfigUniform,
    submission: wgpu::SubmissionIndex,
    counters: PendingRead<BumpAllocators>,
    staging: Staging,
}

impl InFlight {
    /// The number of frames in flight.
    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// The number of frames to wait for so that there is room for another one.
    pub(super) fn n_excess(&self) -> usize {
        (self.len() + 1).saturating_sub(MAX_FRAMES)
    }

    /// A staging buffer for the counters of a frame.
    pub(super) fn staging(&mut self, device: &wgpu::Device) -> Staging {
        self.spare.pop().unwrap_or_else(|| Staging::new(device, size_of::<BumpAllocators>()))
    }

    /// Takes a staging buffer back after its contents have been read.
    pub(super) fn reuse(&mut self, staging: Staging) {
        self.spare.push(staging);
    }

    /// Adds a frame that has been submitted.
    pub(super) fn push(
        &mut self,
        config: ConfigUniform,
        submission: wgpu::SubmissionIndex,
        staging: Staging,
    ) {
        let counters = staging.start_read(1);
        self.frames.push_back(PendingFrame { config, submission, counters, staging });
    }

    /// Polls the device. Waits for the first `n_awaited` frames.
    pub(super) fn poll(&self, device: &wgpu::Device, n_awaited: usize) -> Result<(), wgpu::PollError> {
        let last_awaited = n_awaited.checked_sub(1).and_then(|last| self.frames.get(last));
        device.poll(last_awaited.map_or(wgpu::PollType::Poll, |frame| wgpu::PollType::Wait {
            submission_index: Some(frame.submission.clone()),
            timeout: None,
        }))?;
        Ok(())
    }

    /// Removes the first frame if it `is_awaited` or its counters have arrived. Returns them with
    /// its configuration.
    pub(super) fn pop_finished(
        &mut self,
        is_awaited: bool,
    ) -> Option<Result<(ConfigUniform, BumpAllocators), ReadBackError>> {
        let counters = &mut self.frames.front_mut()?.counters;
        let result = if is_awaited {
            // If another thread polls the device too, that thread may be the one that reports the
            // copy.
            pollster::block_on(counters)
        } else {
            counters.try_take()?
        };
        let PendingFrame { config, counters, staging, .. } = self.frames.pop_front()?;
        // This unmaps the staging buffer.
        drop(counters);
        self.spare.push(staging);
        Some(result.map(|counters| (config, counters[0])))
    }
}
