//! Whether a GPU runs at the clocks that it can have: in pauses it falls back to lower ones, and leaves them when it sees fit.

use std::cell::Cell;

use boxwood::Gpu;

use crate::ceiling::{bind, buffer, pipeline};

/// How much longer than ever before a task may take at full clocks.
const NO_SLOWER: f64 = 1.15;

/// A chain of operations in one workgroup: it takes so many cycles, whatever the memory does.
const TASK: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) local: u32) {
    var x = words[local];
    for (var i = 0u; i < 4096u; i++) {
        x = x * 1664525u + 1013904223u;
    }
    words[local] = x;
}
";

/// A task whose time tells the clocks.
#[derive(Debug)]
pub(crate) struct Clocks {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    /// The least time that it has taken, in seconds.
    least: Cell<f64>,
}

impl Clocks {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let pipeline = pipeline(gpu, "clocks", TASK);
        let group = bind(&gpu.device, &pipeline, &[(0, &buffer(&gpu.device, 32 * 4))]);
        Self { pipeline, group, least: Cell::new(f64::INFINITY) }
    }

    /// Puts the task into a pass.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }

    /// Whether the clocks are up, where the task has just taken so long.
    pub(crate) fn are_up(&self, seconds: f64) -> bool {
        self.least.set(self.least.get().min(seconds));
        seconds <= NO_SLOWER * self.least.get()
    }
}
