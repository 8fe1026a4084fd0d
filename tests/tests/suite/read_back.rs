//! Reading results back to the CPU.

use std::thread;

use boxwood::read_items;
use boxwood_tests::gpu;
use wgpu::util::DeviceExt as _;

/// A thread that polls the device may be the one that reports the copies of the others.
#[test]
fn threads_can_read_from_one_device_at_once() {
    let gpu = gpu();
    thread::scope(|scope| {
        for value in 0..8_u32 {
            scope.spawn(move || {
                let buffer = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: None,
                    contents: &value.to_ne_bytes(),
                    usage: wgpu::BufferUsages::COPY_SRC,
                });
                for _ in 0..500 {
                    let items = read_items::<u32>(&gpu.device, &gpu.queue, &buffer, 1);
                    assert_eq!(items.expect("the device answers"), [value]);
                }
            });
        }
    });
}
