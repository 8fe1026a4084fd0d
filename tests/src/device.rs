//! The devices that the tests run on.

use std::sync::{Mutex, OnceLock, PoisonError};

use boxwood::native::Gpu;
use boxwood::{Aabb, Algorithm, Boxes, Context, Outputs, Scene, SceneBoxes};
use boxwood_vello::Renderer;

/// A device, and the shaders that have been compiled for it.
pub(crate) struct TestDevice {
    gpu: Gpu,
    context: OnceLock<Context>,
    /// A renderer that keeps layers as they are, and one that tightens them.
    pub(crate) renderers: OnceLock<[Mutex<Renderer>; 2]>,
}

/// The devices that no thread holds at the moment.
static IDLE: Mutex<Vec<&TestDevice>> = Mutex::new(Vec::new());

/// The device that a thread holds until it ends.
struct Held(&'static TestDevice);

impl Held {
    fn take() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self(idle.unwrap_or_else(|| {
            let adapter = std::env::var("BOXWOOD_ADAPTER").ok();
            let gpu = Gpu::open(adapter.as_deref());
            let gpu = gpu.unwrap_or_else(|e| panic!("the tests need a graphics adapter: {e}"));
            Box::leak(Box::new(TestDevice { gpu, context: OnceLock::new(), renderers: OnceLock::new() }))
        }))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// The device of this thread. Software adapters run the submissions to a device one after the
/// other, so tests that share a device would wait for each other.
///
/// # Panics
///
/// If there is no adapter. A suite that skipped its tests instead would pass without testing.
pub(crate) fn test_device() -> &'static TestDevice {
    thread_local! {
        static HELD: Held = Held::take();
    }
    HELD.with(|held| held.0)
}

/// The device of this thread. `BOXWOOD_ADAPTER` selects an adapter by a part of its name.
///
/// # Panics
///
/// If there is no such adapter.
pub fn gpu() -> &'static Gpu {
    &test_device().gpu
}

/// Whether the adapter is lavapipe, the reference of this suite.
///
/// # Panics
///
/// If it is another adapter, and `BOXWOOD_ADAPTER` does not ask for it.
pub fn is_reference_adapter() -> bool {
    let adapter = gpu().adapter.get_info();
    let is_reference = adapter.device_type == wgpu::DeviceType::Cpu && adapter.name.contains("llvmpipe");
    assert!(
        is_reference || std::env::var_os("BOXWOOD_ADAPTER").is_some(),
        "{} is not the reference adapter",
        adapter.name
    );
    is_reference
}

/// The shaders that have been compiled for this thread's device.
pub fn context() -> &'static Context {
    let TestDevice { gpu, context, .. } = test_device();
    context.get_or_init(|| Context::new(&gpu.device))
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

/// The boxes of a scene on this thread's device, by the default algorithm for its size.
pub fn gpu_boxes(scene: &Scene) -> Boxes {
    gpu_boxes_with(context(), Algorithm::for_elements(scene.len(), &gpu().adapter.get_info()), scene)
}

/// The boxes of a scene with this context and algorithm.
///
/// # Panics
///
/// If the device or the algorithm cannot hold the scene, or the device is lost.
pub fn gpu_boxes_with(context: &Context, algorithm: Algorithm, scene: &Scene) -> Boxes {
    gpu_boxes_after(context, algorithm, scene, scene)
}

/// The boxes of a scene, computed in buffers that first held another scene of at least its size.
///
/// # Panics
///
/// If the other scene is smaller, and for the reasons of [`gpu_boxes_with`].
pub fn gpu_boxes_after(context: &Context, algorithm: Algorithm, before: &Scene, scene: &Scene) -> Boxes {
    gpu_boxes_on(gpu(), context, algorithm, before, scene)
}

/// The same as [`gpu_boxes_after`], on another device.
///
/// # Panics
///
/// For the reasons of [`gpu_boxes_after`].
pub fn gpu_boxes_on(
    gpu: &Gpu,
    context: &Context,
    algorithm: Algorithm,
    before: &Scene,
    scene: &Scene,
) -> Boxes {
    let Gpu { device, queue, .. } = gpu;
    let mut buffers =
        SceneBoxes::with_algorithm(context, Outputs::all(), algorithm, before.len(), before.n_entries())
            .expect("the scene is within the limits");
    let mut compute = |scene: &Scene| {
        buffers.update(queue, scene).expect("the scene is valid and not larger than the one before");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
    };
    // The results of the scene before must leave no trace.
    if !std::ptr::eq(before, scene) {
        compute(before);
    }
    compute(scene);
    buffers.read_back(queue).expect("the device answers")
}

/// The clipped boxes alone, with this context and algorithm, in buffers that first held
/// another scene of at least its size.
///
/// # Panics
///
/// If the other scene is smaller, the device or the algorithm cannot hold it, or the device is
/// lost.
pub fn gpu_clipped_boxes_after(
    context: &Context,
    algorithm: Algorithm,
    before: &Scene,
    scene: &Scene,
) -> Vec<Aabb> {
    let Gpu { device, queue, .. } = gpu();
    let mut buffers =
        SceneBoxes::with_algorithm(context, Outputs::CLIPPED, algorithm, before.len(), before.len())
            .expect("the scene is within the limits");
    for scene in [before, scene] {
        buffers.update(queue, scene).expect("the scene is valid and not larger than the one before");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
    }
    boxwood::read_items(device, queue, buffers.clipped_boxes(), scene.len()).expect("the device answers")
}

/// The algorithms that can hold a scene.
pub fn algorithms_for(scene: &Scene) -> impl Iterator<Item = Algorithm> {
    let can_hold = |a: &Algorithm| a.limits().check(scene.len(), scene.n_entries()).is_ok();
    Algorithm::ALL.iter().copied().filter(can_hold)
}

/// The first `count` words of a buffer.
///
/// # Panics
///
/// If the device is lost.
pub fn read_words(buffer: &wgpu::Buffer, count: usize) -> Vec<i32> {
    let Gpu { device, queue, .. } = gpu();
    boxwood::read_items(device, queue, buffer, count).expect("the device answers")
}
