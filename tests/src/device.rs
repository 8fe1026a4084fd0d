//! The devices that the tests share.

use std::sync::{Mutex, OnceLock, PoisonError};

use boxwood::native::Gpu;
use boxwood::paths::PathPipelines;
use boxwood::{Algorithm, Boxes, Buffers, Pipelines, Scene};
use boxwood_vello::Renderer;

/// A device, and what has been compiled for it.
pub(crate) struct TestDevice {
    gpu: Gpu,
    pipelines: OnceLock<Pipelines>,
    path_bounds: OnceLock<PathPipelines>,
    /// Those that leave layers as they are, and that tighten them.
    pub(crate) renderers: OnceLock<[Mutex<Renderer>; 2]>,
}

/// The devices that no thread has at the time.
static IDLE: Mutex<Vec<&TestDevice>> = Mutex::new(Vec::new());

/// A device for as long as a thread lives.
struct Held(&'static TestDevice);

impl Held {
    fn take() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self(idle.unwrap_or_else(|| {
            let adapter = std::env::var("BOXWOOD_ADAPTER").ok();
            let gpu = Gpu::open(adapter.as_deref());
            let gpu = gpu.unwrap_or_else(|e| panic!("the tests need a graphics adapter: {e}"));
            Box::leak(Box::new(TestDevice {
                gpu,
                pipelines: OnceLock::new(),
                path_bounds: OnceLock::new(),
                renderers: OnceLock::new(),
            }))
        }))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// The device of this thread: on one device, tests would wait for each other, as software compiles and runs what is submitted to it
/// one after the other.
///
/// # Panics
///
/// Without an adapter: a suite that skips what it cannot run would pass without having looked.
pub(crate) fn test_device() -> &'static TestDevice {
    thread_local! {
        static HELD: Held = Held::take();
    }
    HELD.with(|held| held.0)
}

/// The device of this thread, which it keeps until it ends. `BOXWOOD_ADAPTER` picks an adapter by a part of its name.
///
/// # Panics
///
/// Without an adapter.
pub fn gpu() -> &'static Gpu {
    &test_device().gpu
}

/// The stages on that device.
pub fn pipelines() -> &'static Pipelines {
    let TestDevice { gpu, pipelines, .. } = test_device();
    pipelines.get_or_init(|| Pipelines::new(&gpu.device))
}

/// The boxes of paths on that device.
pub fn path_bounds() -> &'static PathPipelines {
    let TestDevice { gpu, path_bounds, .. } = test_device();
    path_bounds.get_or_init(|| PathPipelines::new(&gpu.device))
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

/// The results of every stage for a scene, on that device, by the algorithm that is the default for its size.
pub fn gpu_boxes(elements: &Scene) -> Boxes {
    gpu_boxes_with(pipelines(), Algorithm::for_elements(elements.len(), &gpu().adapter.get_info()), elements)
}

/// The same, with other shaders or another algorithm.
///
/// # Panics
///
/// If the device or the algorithm cannot hold the scene, or the device is lost.
pub fn gpu_boxes_with(pipelines: &Pipelines, algorithm: Algorithm, elements: &Scene) -> Boxes {
    gpu_boxes_after(pipelines, algorithm, elements, elements)
}

/// The same in buffers that have held another scene before, which is no smaller.
///
/// # Panics
///
/// As [`gpu_boxes_with`], or if the other scene is smaller.
pub fn gpu_boxes_after(
    pipelines: &Pipelines,
    algorithm: Algorithm,
    before: &Scene,
    elements: &Scene,
) -> Boxes {
    gpu_boxes_on(gpu(), pipelines, algorithm, before, elements)
}

/// The same on another device.
///
/// # Panics
///
/// As [`gpu_boxes_after`].
pub fn gpu_boxes_on(
    gpu: &Gpu,
    pipelines: &Pipelines,
    algorithm: Algorithm,
    before: &Scene,
    elements: &Scene,
) -> Boxes {
    let Gpu { device, queue, .. } = gpu;
    let mut buffers = Buffers::with_algorithm(device, pipelines, before.len(), before.n_nodes(), algorithm)
        .expect("the scene is within the limits");
    buffers.upload(queue, before).expect("the buffers are of its size");
    if !std::ptr::eq(before, elements) {
        buffers.upload(queue, elements).expect("the other scene is no smaller");
    }
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    buffers.record(&mut encoder);
    queue.submit([encoder.finish()]);
    boxwood::read_back(device, queue, &buffers).expect("the device answers")
}

/// Every algorithm that can hold a scene.
pub fn algorithms_for(elements: &Scene) -> impl Iterator<Item = Algorithm> {
    let is_able = |m: &Algorithm| m.limits().check(elements.len(), elements.n_nodes()).is_ok();
    Algorithm::ALL.iter().copied().filter(is_able)
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
