//! The stage in a renderer: the host owns the device, the queue, and the encoder, and Boxwood
//! records.
//!
//!     cargo run -p boxwood_examples --bin minimal

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use boxwood::{Context, Outputs, Scene, SceneBoxes, wgpu};

fn main() -> anyhow::Result<()> {
    // Any device will do: no optional feature, WebGPU's default limits.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;

    // A clip of 100 × 100 with two leaves in it: one extends beyond the clip, the other is outside
    // of it.
    let mut scene = Scene::new();
    scene.begin_clip([0.0, 0.0, 100.0, 100.0]);
    let leaves = [scene.leaf([80.0, 10.0, 150.0, 20.0]), scene.leaf([200.0, 200.0, 210.0, 210.0])];
    scene.end();

    let context = Context::new(&device);
    let mut buffers = SceneBoxes::new(&context, Outputs::all());
    buffers.update(&queue, &scene)?;
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    buffers.record(&mut encoder);
    // In the same encoder, the host records its passes over `buffers.clipped_boxes()` and the other
    // results.
    queue.submit([encoder.finish()]);

    let boxes = buffers.read_back(&queue)?;
    for leaf in leaves {
        println!("leaf {leaf}: {}", boxes.clipped_boxes[leaf]);
    }
    Ok(())
}
