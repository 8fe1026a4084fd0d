//! What is made once a device, and the recording of a frame.

use boxwood_shaders::Shader;

use crate::buffers::Buffers;
use crate::kernel::Kernel;
use crate::stage::STAGES;

/// The compiled stages. Make it once a device.
#[derive(Debug)]
pub struct Pipelines {
    /// One list a stage, one kernel a dispatch, as in [`STAGES`].
    pub(crate) kernels: Vec<Vec<Kernel>>,
}

impl Pipelines {
    /// Compiles every stage for `device`, which needs no feature and no more than WebGPU's default limits.
    pub fn new(device: &wgpu::Device) -> Self {
        Self::with_sources(device, |shader| shader.source.to_owned())
    }

    /// Compiles every stage from the source that `source` gives for its shaders, which must bind the same resources.
    /// This is for those who experiment with a stage, and for tests that break one.
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        let compile = |shader| Kernel::new(device, shader, &source(shader));
        let kernels =
            STAGES.iter().map(|stage| stage.dispatches.iter().map(|d| compile(d.shader)).collect()).collect();
        Self { kernels }
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
        for ((stage, kernels), groups) in STAGES.iter().zip(&self.kernels).zip(&buffers.bind_groups) {
            pass.push_debug_group(&format!("boxwood.{}", stage.name));
            for ((dispatch, kernel), group) in stage.dispatches.iter().zip(kernels).zip(groups) {
                if let Some([x, y, z]) = buffers.workgroups(dispatch.grid) {
                    pass.set_pipeline(&kernel.pipeline);
                    pass.set_bind_group(0, group, &[]);
                    pass.dispatch_workgroups(x, y, z);
                }
            }
            pass.pop_debug_group();
        }
    }
}
