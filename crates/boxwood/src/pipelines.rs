//! What is made once a device, and the recording of a frame.

use boxwood_shaders::Shader;

use crate::buffers::Buffers;
use crate::kernel::Kernel;
use crate::program::Kernels;
use crate::stage::{Matching, Stage};

/// The compiled stages. Make it once a device.
#[derive(Debug)]
pub struct Pipelines {
    pub(crate) kernels: Kernels,
}

impl Pipelines {
    /// Compiles every stage for `device`, which needs no feature and no more than WebGPU's default limits.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { kernels: Kernels::new(stages(), |shader| Kernel::new(device, shader)) }
    }

    /// Compiles every stage from the source that `source` gives for its shaders, which must bind the same resources.
    /// This is for those who experiment with a stage, and for tests that break one: wgpu checks what these shaders do.
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        let compile = |shader| Kernel::with_source(device, shader, &source(shader));
        Self { kernels: Kernels::new(stages(), compile) }
    }

    /// Records all stages over the scene in `buffers` into the caller's encoder, as one compute pass.
    ///
    /// Nothing is submitted, mapped or waited for. The results are in the buffers' views once the encoder's commands
    /// have run; later passes of the same encoder may read them. The scene may be uploaded and recorded anew each frame.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder, buffers: &Buffers) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("boxwood"),
            timestamp_writes: None,
        });
        self.record_in(&mut pass, buffers);
    }

    /// Records all stages into a compute pass of the caller's, who may time it.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>, buffers: &Buffers) {
        buffers.program.record(pass, &self.kernels);
    }

    /// Records the stage of this name alone, whose inputs the stages before it have left in `buffers`.
    pub fn record_stage_in(&self, pass: &mut wgpu::ComputePass<'_>, buffers: &Buffers, name: &str) {
        buffers.program.record_stage(pass, &self.kernels, name);
    }

    /// Records one of [`Buffers::dispatch_names`] alone, by its index, to time it.
    pub fn record_dispatch_in(&self, pass: &mut wgpu::ComputePass<'_>, buffers: &Buffers, index: usize) {
        buffers.program.record_dispatch(pass, &self.kernels, index);
    }
}

fn stages() -> impl Iterator<Item = &'static Stage> {
    Matching::ALL.iter().flat_map(|matching| matching.stages()).copied()
}
