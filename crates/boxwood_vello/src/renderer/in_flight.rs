//! The counters of frames that the device may still be drawing.

use std::collections::VecDeque;

use boxwood::{PendingRead, ReadBackError, Staging};
use vello_encoding::{BumpAllocators, ConfigUniform};

/// The maximum number of frames whose counters have not arrived. The next frame waits for the first
/// of them, so a slow device does not fall behind without a limit. Three is the usual length of a
/// swap chain.
const MAX_FRAMES: usize = 3;

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
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
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

    /// The poll that makes room for another frame: it waits only if there are [`MAX_FRAMES`].
    pub(super) fn wait(&self) -> wgpu::PollType {
        match self.frames.front() {
            Some(first) if self.frames.len() >= MAX_FRAMES => {
                wgpu::PollType::Wait { submission_index: Some(first.submission.clone()), timeout: None }
            }
            _ => wgpu::PollType::Poll,
        }
    }

    /// Removes the first frame if its counters have arrived. Returns them with its configuration.
    pub(super) fn pop_finished(&mut self) -> Option<Result<(ConfigUniform, BumpAllocators), ReadBackError>> {
        let result = self.frames.front_mut()?.counters.try_take()?;
        let PendingFrame { config, staging, counters, .. } = self.frames.pop_front()?;
        // This unmaps the buffer.
        drop(counters);
        self.spare.push(staging);
        Some(result.map(|counters| (config, counters[0])))
    }
}
