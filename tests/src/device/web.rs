//! The device of a browser, and the tests that run there.
//!
//! A test waits for the browser in the middle of a function. The stack of WebAssembly is suspended
//! for that (JavaScript Promise Integration): JavaScript calls [`run_test`] by
//! `WebAssembly.promising`, and gives the function `waitForBrowser` as `WebAssembly.Suspending`.

extern crate test;

use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context as TaskContext, Poll, Wake, Waker};

use boxwood::{Boxes, SceneBoxes};
use bytemuck::Pod;
use test::{ShouldPanic, TestDescAndFn, TestFn};
use wasm_bindgen::prelude::wasm_bindgen;

use super::TestDevice;

#[wasm_bindgen]
extern "C" {
    /// Suspends the stack until something has called [`wake_up`] since the last time.
    #[wasm_bindgen(js_name = waitForBrowser)]
    fn wait_for_browser();

    /// Resumes [`wait_for_browser`].
    #[wasm_bindgen(js_name = wakeUp)]
    fn wake_up();

    /// The value of an environment variable.
    #[wasm_bindgen(js_name = environmentVariable)]
    fn variable(name: &str) -> Option<String>;

    /// Notes the message of a panic.
    #[wasm_bindgen(js_name = notePanic)]
    fn note_panic(message: &str);
}

/// An adapter with a device and its queue.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The instance that the adapter comes from.
    pub instance: wgpu::Instance,
    /// The adapter of the device.
    pub adapter: wgpu::Adapter,
    /// The device, with the default limits of WebGPU.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
}

/// The device of the page.
pub(super) fn test_device() -> &'static TestDevice {
    thread_local! {
        static DEVICE: &'static TestDevice = TestDevice::new(gpu_with_limits(wgpu::Limits::default()));
    }
    DEVICE.with(|device| *device)
}

/// The value of an environment variable, which the page knows.
pub(crate) fn environment_variable(name: &str) -> Option<String> {
    variable(name)
}

/// Whether the adapter is lavapipe, which browsers do not use.
pub fn is_reference_adapter() -> bool {
    false
}

/// Another device with these limits. A browser opens one device for each adapter that it returns.
///
/// # Panics
///
/// If the browser has no adapter, if the adapter refuses the device, or if a limit is below WebGPU's
/// default. A browser would silently raise such a limit.
pub fn gpu_with_limits(limits: wgpu::Limits) -> Gpu {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let adapter = adapter.unwrap_or_else(|e| panic!("the tests need a graphics adapter: {e}"));
    let defaults = wgpu::Limits::default();
    assert!(defaults.check_limits(&limits), "{limits:?} are below the defaults");
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("boxwood tests"),
        required_limits: limits,
        ..Default::default()
    };
    let opened = block_on(adapter.request_device(&descriptor));
    let (device, queue) =
        opened.unwrap_or_else(|e| panic!("the adapter has a device with these limits: {e}"));
    Gpu { instance, adapter, device, queue }
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
    block_on(boxwood::read_items_async(device, queue, buffer, count)).expect("the device answers")
}

/// The texels of a texture, row by row.
///
/// # Panics
///
/// If the device is lost.
pub fn read_texels(device: &wgpu::Device, queue: &wgpu::Queue, texture: &wgpu::Texture) -> Vec<u8> {
    block_on(boxwood::read_texels_async(device, queue, texture)).expect("the device answers")
}

/// The results of a scene.
///
/// # Panics
///
/// If the device is lost.
pub fn read_back(boxes: &SceneBoxes, queue: &wgpu::Queue) -> Boxes {
    block_on(boxes.read_back_async(queue)).expect("the device answers")
}

/// Wakes the one task of the page.
struct Page;

impl Wake for Page {
    fn wake(self: Arc<Self>) {
        wake_up();
    }
}

/// Waits for a future of the browser.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let (mut future, waker) = (pin!(future), Waker::from(Arc::new(Page)));
    loop {
        match future.as_mut().poll(&mut TaskContext::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => wait_for_browser(),
        }
    }
}

/// The tests of the page, in the order of their names.
static TESTS: OnceLock<Vec<(&'static str, fn() -> Result<(), String>, ShouldPanic)>> = OnceLock::new();

/// Stands for the test runner of the standard library, which does not know browsers: it notes the
/// tests, which the page runs one by one.
///
/// # Panics
///
/// If it is called twice.
pub fn run_tests(tests: &[&TestDescAndFn]) {
    std::panic::set_hook(Box::new(|panic| note_panic(&panic.to_string())));
    let run = tests.iter().filter(|test| !test.desc.ignore).filter_map(|test| match test.testfn {
        TestFn::StaticTestFn(run) => Some((test.desc.name.as_slice(), run, test.desc.should_panic)),
        _ => None,
    });
    let run = run.map(|(name, run, should_panic)| (&*String::leak(name.to_owned()), run, should_panic));
    assert!(TESTS.set(run.collect()).is_ok(), "the tests are noted once");
}

fn tests() -> &'static [(&'static str, fn() -> Result<(), String>, ShouldPanic)] {
    TESTS.get().map_or(&[], Vec::as_slice)
}

/// The number of tests.
#[wasm_bindgen(js_name = nTests)]
pub fn n_tests() -> usize {
    tests().len()
}

/// The name of a test.
#[wasm_bindgen(js_name = testName)]
pub fn test_name(index: usize) -> String {
    tests()[index].0.to_owned()
}

/// A part of the message of the panic, if a test has to panic.
#[wasm_bindgen(js_name = expectedPanic)]
pub fn expected_panic(index: usize) -> Option<String> {
    match tests()[index].2 {
        ShouldPanic::No => None,
        ShouldPanic::Yes => Some(String::new()),
        ShouldPanic::YesWithMessage(message) => Some(message.to_owned()),
    }
}

/// Runs a test. If it fails, the module stops, and the page has to be loaded again.
///
/// # Panics
///
/// If the test fails.
#[wasm_bindgen(js_name = runTest)]
pub fn run_test(index: usize) {
    (tests()[index].1)().unwrap_or_else(|error| panic!("{error}"));
}
