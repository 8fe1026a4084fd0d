//! The recording of a frame.

use crate::buffers::Buffers;
use crate::pipelines::Pipelines;

impl Pipelines {
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
