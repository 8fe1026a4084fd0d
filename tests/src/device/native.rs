//! Devices of adapters outside of browsers, each for one thread at a time.

use std::sync::{Mutex, PoisonError};

use boxwood::{Boxes, SceneBoxes};
use bytemuck::Pod;

use super::{TestDevice, gpu};

pub use boxwood::native::Gpu;

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
            TestDevice::new(gpu.unwrap_or_else(|e| panic!("the tests need a graphics adapter: {e}")))
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
pub(super) fn test_device() -> &'static TestDevice {
    thread_local! {
        static HELD: Held = Held::take();
    }
    HELD.with(|held| held.0)
}

/// The value of an environment variable.
pub(crate) fn environment_variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
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

/// The first `count` items of a buffer.
///
/// # Panics
///
/// If the device is lost.
pub fn read_items<T: Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Vec<T> {
    boxwood::read_items(device, queue, buffer, count).expect("the device answers")
}

/// The texels of a texture, row by row.
///
/// # Panics
///
/// If the device is lost.
pub fn read_texels(device: &wgpu::Device, queue: &wgpu::Queue, texture: &wgpu::Texture) -> Vec<u8> {
    boxwood::read_texels(device, queue, texture).expect("the device answers")
}

/// The results of a scene.
///
/// # Panics
///
/// If the device is lost.
pub fn read_back(boxes: &SceneBoxes, queue: &wgpu::Queue) -> Boxes {
    boxes.read_back(queue).expect("the device answers")
}
