//! The devices that the tests run on.

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod web;

use std::sync::OnceLock;

use boxwood::{Aabb, Algorithm, Boxes, Context, Outputs, Scene, SceneBoxes};

#[cfg(not(target_arch = "wasm32"))]
use self::native as platform;
#[cfg(target_arch = "wasm32")]
use self::web as platform;

pub(crate) use self::platform::environment_variable;
pub use self::platform::{Gpu, gpu_with_limits, is_reference_adapter, read_back, read_items, read_texels};
#[cfg(target_arch = "wasm32")]
pub use self::web::{n_tests, run_test, run_tests, test_name};

/// A device, with its compiled shaders and its renderers.
pub(crate) struct TestDevice {
    gpu: Gpu,
    context: OnceLock<Context>,
    /// A renderer that keeps layers as they are, and one that tightens them.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) renderers: OnceLock<[std::sync::Mutex<boxwood_vello::Renderer>; 2]>,
}

impl TestDevice {
    fn new(gpu: Gpu) -> &'static Self {
        Box::leak(Box::new(Self {
            gpu,
            context: OnceLock::new(),
            #[cfg(not(target_arch = "wasm32"))]
            renderers: OnceLock::new(),
        }))
    }
}

/// The device of this thread.
///
/// # Panics
///
/// If there is no adapter. A suite that skipped its tests instead would pass without testing.
pub(crate) fn test_device() -> &'static TestDevice {
    platform::test_device()
}

/// The device of this thread. `BOXWOOD_ADAPTER` selects an adapter by a part of its name.
///
/// # Panics
///
/// If there is no such adapter.
pub fn gpu() -> &'static Gpu {
    &test_device().gpu
}

/// The shaders that have been compiled for this thread's device.
pub fn context() -> &'static Context {
    let TestDevice { gpu, context, .. } = test_device();
    context.get_or_init(|| Context::new(&gpu.device))
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
    read_back(&buffers, queue)
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
    read_items(device, queue, buffers.clipped_boxes(), scene.len())
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
    read_items(device, queue, buffer, count)
}
