//! The stage in a renderer of one's own: the host has the device, queue and encoder, Boxwood records.
//!
//!     cargo run -p boxwood_examples --bin minimal

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use boxwood::{Aabb, Buffers, Pipelines, Scene, tag, wgpu};

fn main() -> anyhow::Result<()> {
    // A device as any host has one. No feature, WebGPU's default limits.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;

    // A clip of 100 x 100, and in it two leaves, of which one sticks out and one is outside. 0x44: Vello's solid fill.
    let tags = vec![tag::BEGIN, 0x44, 0x44, tag::END];
    let boxes = vec![
        Aabb::new(0.0, 0.0, 100.0, 100.0)?,
        Aabb::new(80.0, 10.0, 150.0, 20.0)?,
        Aabb::new(200.0, 200.0, 210.0, 210.0)?,
        Aabb::EMPTY,
    ];

    // The stage.
    let elements = Scene::new(tags, boxes)?;
    let pipelines = Pipelines::new(&device);
    let buffers = Buffers::of(&device, &queue, &pipelines, &elements)?;
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    buffers.record(&mut encoder);
    // Here the host records what reads `buffers.clipped_boxes()` and the other results, in the same encoder.
    queue.submit([encoder.finish()]);

    let boxes = boxwood::read_back(&device, &queue, &buffers)?;
    for (element, clipped) in boxes.clipped_boxes.iter().enumerate().skip(1).take(2) {
        if clipped.is_empty() {
            println!("leaf {element} is clipped away");
        } else {
            println!("leaf {element} is left with {} x {}", clipped.width(), clipped.height());
        }
    }
    Ok(())
}
