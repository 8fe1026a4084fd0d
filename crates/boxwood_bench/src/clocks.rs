//! Whether a GPU and its memory run at the clocks that they can have: in pauses they fall back to lower ones, and leave them when they see
//! fit.

use std::cell::Cell;

use boxwood::native::Gpu;

use crate::compute::{bind, buffer, pipeline};

/// How much longer than ever before a task may take at full clocks.
const NO_SLOWER: f64 = 1.15;

/// A chain of operations in one workgroup: it takes so many cycles, whatever the memory does.
const CHAIN: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<vec4<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) local: u32) {
    var x = words[local].x;
    for (var i = 0u; i < 4096u; i++) {
        x = x * 1664525u + 1013904223u;
    }
    words[local].x = x;
}
";

/// Every word read and written: it takes what the memory takes.
const STREAM: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<vec4<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    words[id.x] += vec4(1u);
}
";

/// The bytes of a stream: more than caches hold.
const STREAM_SIZE: u64 = 128 << 20;

/// Tasks whose times tell the clocks.
#[derive(Debug)]
pub(crate) struct Clocks([Task; 2]);

/// One of them.
#[derive(Debug)]
pub(crate) struct Task {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    n_workgroups: u32,
    /// The least time that it has taken, in seconds.
    least: Cell<f64>,
}

impl Clocks {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let limits = gpu.device.limits();
        let size = STREAM_SIZE.min(limits.max_storage_buffer_binding_size).min(limits.max_buffer_size);
        // 256 invocations of 16 bytes.
        let n_workgroups = u32::try_from(size / 4096).expect("the stream is short");
        let words = buffer(&gpu.device, 4096 * n_workgroups as usize);
        Self([(CHAIN, 1), (STREAM, n_workgroups)].map(|(source, n_workgroups)| {
            let pipeline = pipeline(gpu, "clocks", source);
            let group = bind(&gpu.device, &pipeline, &[(0, &words)]);
            Task { pipeline, group, n_workgroups, least: Cell::new(f64::INFINITY) }
        }))
    }

    pub(crate) fn tasks(&self) -> &[Task] {
        &self.0
    }
}

impl Task {
    /// Puts it into a pass.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(self.n_workgroups, 1, 1);
    }

    /// Whether its clocks are up, where it has just taken so long.
    pub(crate) fn is_as_fast_as_ever(&self, seconds: f64) -> bool {
        self.least.set(self.least.get().min(seconds));
        seconds <= NO_SLOWER * self.least.get()
    }
}
