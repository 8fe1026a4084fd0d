//! The costs of a picture: times on the CPU and the GPU, and the use of the renderer's buffers.

use std::time::Duration;

use boxwood_vello::Usage;
use wgpu_profiler::GpuTimerQueryResult;

/// The costs of one picture.
#[derive(Debug, Default)]
pub struct PictureCosts {
    /// Times on the CPU, with the names of what they were taken for.
    pub cpu: Vec<(&'static str, Duration)>,
    /// Times on the GPU. Empty without timestamps.
    pub gpu: Vec<GpuTimerQueryResult>,
    /// The items that the last part of the picture needed of Vello's buffers.
    pub usage: Option<Usage>,
    /// The number of parts that the picture was drawn in.
    pub n_parts: usize,
}
