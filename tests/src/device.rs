//! The device that the tests share.

use std::sync::OnceLock;

use boxwood::{Boxes, Buffers, Elements, Gpu, Matching, Pipelines};

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

/// Another device of the same adapter, with these limits.
///
/// # Panics
///
/// If the adapter refuses it.
pub fn gpu_with_limits(limits: wgpu::Limits) -> Gpu {
    let Gpu { instance, adapter, .. } = gpu();
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        label: Some("boxwood tests"),
        required_limits: limits,
        ..Default::default()
    }))
    .unwrap_or_else(|e| panic!("the adapter has a device with these limits: {e}"));
    Gpu { instance: instance.clone(), adapter: adapter.clone(), device, queue }
}

/// The stages on that device.
pub fn pipelines() -> &'static Pipelines {
    static PIPELINES: OnceLock<Pipelines> = OnceLock::new();
    PIPELINES.get_or_init(|| Pipelines::new(&gpu().device))
}

/// The results of every stage for a scene, on that device, by the algorithm that is the default for its size.
pub fn gpu_boxes(elements: &Elements) -> Boxes {
    gpu_boxes_with(pipelines(), Matching::for_elements(elements.len(), &gpu().adapter.get_info()), elements)
}

/// The same, with other shaders or another algorithm.
///
/// # Panics
///
/// If the device or the algorithm cannot hold the scene, or the device is lost.
pub fn gpu_boxes_with(pipelines: &Pipelines, matching: Matching, elements: &Elements) -> Boxes {
    gpu_boxes_after(pipelines, matching, elements, elements)
}

/// The same in buffers that have held another scene before, which is no smaller.
///
/// # Panics
///
/// As [`gpu_boxes_with`], or if the other scene is smaller.
pub fn gpu_boxes_after(
    pipelines: &Pipelines,
    matching: Matching,
    before: &Elements,
    elements: &Elements,
) -> Boxes {
    gpu_boxes_on(gpu(), pipelines, matching, before, elements)
}

/// The same on another device.
///
/// # Panics
///
/// As [`gpu_boxes_after`].
pub fn gpu_boxes_on(
    gpu: &Gpu,
    pipelines: &Pipelines,
    matching: Matching,
    before: &Elements,
    elements: &Elements,
) -> Boxes {
    let Gpu { device, queue, .. } = gpu;
    let mut buffers = Buffers::with_matching(device, pipelines, before.len(), before.n_nodes(), matching)
        .expect("the scene is within the limits");
    buffers.upload(queue, before).expect("the buffers are of its size");
    buffers.upload(queue, elements).expect("the other scene is no smaller");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    pipelines.record(&mut encoder, &buffers);
    queue.submit([encoder.finish()]);
    boxwood::read_back(device, queue, &buffers).expect("the device answers")
}

/// Every algorithm that can hold a scene.
pub fn matchings_for(elements: &Elements) -> impl Iterator<Item = Matching> {
    let is_able = |m: &Matching| m.limits().check(elements.len(), elements.n_nodes()).is_ok();
    Matching::ALL.into_iter().filter(is_able)
}

/// The first words of a buffer.
///
/// # Panics
///
/// If the device is lost.
pub fn read_words(buffer: &wgpu::Buffer, count: usize) -> Vec<i32> {
    let Gpu { device, queue, .. } = gpu();
    boxwood::read_items(device, queue, buffer, count).expect("the device answers")
}
