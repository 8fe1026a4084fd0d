//! Detecting whether a GPU and its memory run at full clock rates. In pauses, a GPU lowers its
//! clocks, and it raises them some time after work resumes.

use std::cell::Cell;

use boxwood::native::Gpu;

use super::compute::{Kernel, begin_pass, buffer};

/// The factor by which a task may take longer than its shortest time at full clock rates.
const TOLERANCE: f64 = 1.15;

/// A chain of dependent operations in one workgroup. Its time depends on the clock of the cores
/// alone.
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

/// A stream that reads and writes every word. Its time depends on the clock of the memory.
const STREAM: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<vec4<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    words[id.x] += vec4(1u);
}
";

/// The bytes that a workgroup of the stream reads: 256 vectors of 16 bytes.
const STREAM_WORKGROUP_SIZE: u64 = 256 * 16;

/// The size of the stream in bytes, larger than any cache.
const STREAM_SIZE: u64 = 128 << 20;

/// A task whose time reveals a clock rate.
#[derive(Debug)]
pub(super) struct Clock {
    kernel: Kernel,
    n_workgroups: u32,
    /// The shortest measured time, in seconds.
    shortest: Cell<f64>,
}

impl Clock {
    /// The clocks of the cores and of the memory.
    pub(super) fn all(gpu: &Gpu) -> [Self; 2] {
        let size = STREAM_SIZE.min(boxwood::max_binding_size(&gpu.device.limits()));
        let n_workgroups = u32::try_from(size / STREAM_WORKGROUP_SIZE).expect("the stream is short");
        let words = buffer(&gpu.device, usize::try_from(size).expect("the stream is short"));
        [(CHAIN, 1), (STREAM, n_workgroups)].map(|(source, n_workgroups)| {
            let kernel = Kernel::checked(gpu, "clocks", source, &[&words]);
            Self { kernel, n_workgroups, shortest: Cell::new(f64::INFINITY) }
        })
    }

    /// Records the task.
    pub(super) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        self.kernel.dispatch(&mut begin_pass(encoder, writes), [self.n_workgroups, 1]);
    }

    /// Whether the clock was at the full rate, given the time that the task has just taken.
    pub(super) fn is_at_full_rate(&self, seconds: f64) -> bool {
        self.shortest.set(self.shortest.get().min(seconds));
        seconds <= TOLERANCE * self.shortest.get()
    }
}
