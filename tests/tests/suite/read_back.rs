//! Reading results back to the CPU.

use std::thread;

use boxwood::{read_items, read_items_async, read_texels_async};
use boxwood_tests::{Gpu, gpu};
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

/// The copies are submitted at once, so that what is written later is not read.
#[test]
fn items_and_texels_are_read_without_waiting() {
    let Gpu { device, queue, .. } = gpu();
    let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: None,
        contents: bytemuck::cast_slice(&[1_u32, 2, 3]),
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
    });
    let size = wgpu::Extent3d { width: 2, height: 3, depth_or_array_layers: 1 };
    let descriptor = wgpu::TextureDescriptor {
        label: None,
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    };
    let texels: Vec<u8> = (0..24).collect();
    let order = wgpu::util::TextureDataOrder::LayerMajor;
    let texture = device.create_texture_with_data(queue, &descriptor, order, &texels);
    let items = [0, 2, 3].map(|n| read_items_async::<u32>(device, queue, &buffer, n));
    let rows = read_texels_async(device, queue, &texture);
    queue.write_buffer(&buffer, 0, &[9; 12]);
    queue.submit([]);
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
    let items = items.map(|items| pollster::block_on(items).expect("the device answers"));
    assert_eq!(items, [vec![], vec![1, 2], vec![1, 2, 3]]);
    assert_eq!(pollster::block_on(rows).expect("the device answers"), texels);
}
