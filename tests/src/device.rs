//! The device that the tests share.

use std::sync::OnceLock;

use boxwood::{Boxes, Buffers, Elements, Gpu, Pipelines};

/// The device of this test binary. `BOXWOOD_ADAPTER` picks one by a part of its name.
///
/// # Panics
///
/// Without an adapter: a suite that skips what it cannot run would pass without having looked.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let adapter = std::env::var("BOXWOOD_ADAPTER").ok();
        Gpu::open(adapter.as_deref()).unwrap_or_else(|e| panic!("the tests need a graphics adapter: {e}"))
    })
}

/// The stages on that device.
pub fn pipelines() -> &'static Pipelines {
    static PIPELINES: OnceLock<Pipelines> = OnceLock::new();
    PIPELINES.get_or_init(|| Pipelines::new(&gpu().device))
}

/// The results of every stage for a scene, on that device.
pub fn gpu_boxes(elements: &Elements) -> Boxes {
    gpu_boxes_with(pipelines(), elements)
}

/// The same, with other shaders.
///
/// # Panics
///
/// If the device cannot hold the scene, or is lost.
pub fn gpu_boxes_with(pipelines: &Pipelines, elements: &Elements) -> Boxes {
    let Gpu { device, queue, .. } = gpu();
    let buffers = Buffers::of(device, queue, pipelines, elements).expect("the scene is within the limits");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    pipelines.record(&mut encoder, &buffers);
    queue.submit([encoder.finish()]);
    boxwood::read_back(device, queue, &buffers).expect("the device answers")
}
