//! The limits of Vello's own clip stage, as documented: it is right, on the GPU, for every scene
//! within them, and wrong beyond them.

use boxwood::native::Gpu;
use boxwood_tests::{Random, Shapes, gpu};
use boxwood_vello::{VELLO_MAX_CLIPS, VELLO_MAX_DEPTH};
use vello_shaders::{ComputeShader, SHADERS};
use wgpu::util::DeviceExt as _;

use super::clip::{Input, Output, nest, read, tree};

/// The output of Vello's `clip_reduce` and `clip_leaf`, compiled with wgpu's checks, because they
/// access memory out of bounds beyond their limits.
fn by_vello(input: &Input) -> Output {
    let Gpu { device, queue, .. } = gpu();
    let n = input.clip_inp.len();
    let buffer = |contents: &[u8], usage| {
        let usage = usage | wgpu::BufferUsages::COPY_SRC;
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
    };
    let storage = |contents: &[u8]| buffer(contents, wgpu::BufferUsages::STORAGE);
    let config = buffer(bytemuck::bytes_of(&input.config), wgpu::BufferUsages::UNIFORM);
    let clip_inp = storage(bytemuck::cast_slice(&input.clip_inp));
    let path_bboxes = storage(bytemuck::cast_slice(&input.path_bboxes));
    let reduced = storage(&vec![0; 8 * n.div_ceil(256)]);
    let clip_els = storage(&vec![0; 32 * n]);
    let draw_monoids = storage(bytemuck::cast_slice(&input.draw_monoids));
    let clip_bboxes = storage(&vec![0xff; 16 * n]);

    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut dispatch = |shader: &ComputeShader<'_>, buffers: &[&wgpu::Buffer], n_workgroups: usize| {
        if n_workgroups == 0 {
            return;
        }
        let source = wgpu::ShaderSource::Wgsl(shader.wgsl.code.as_ref().into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(&shader.name),
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let indices = &shader.wgsl.binding_indices;
        assert_eq!(indices.len(), buffers.len(), "the bindings of {} have changed", shader.name);
        let entries: Vec<_> = indices
            .iter()
            .zip(buffers)
            .map(|(&binding, buffer)| wgpu::BindGroupEntry {
                binding: binding.into(),
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let layout = pipeline.get_bind_group_layout(0);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(u32::try_from(n_workgroups).expect("the tests are small"), 1, 1);
    };
    dispatch(&SHADERS.clip_reduce, &[&clip_inp, &path_bboxes, &reduced, &clip_els], (n - 1) / 256);
    let leaf = [&config, &clip_inp, &path_bboxes, &reduced, &clip_els, &draw_monoids, &clip_bboxes];
    dispatch(&SHADERS.clip_leaf, &leaf, n.div_ceil(256));
    queue.submit([encoder.finish()]);
    Output { clip_bboxes: read(&clip_bboxes, n), draw_monoids: read(&draw_monoids, input.draw_monoids.len()) }
}

#[test]
fn vellos_stage_is_right_within_its_limits() {
    let (clips, depth) = (VELLO_MAX_CLIPS as usize, VELLO_MAX_DEPTH as usize);
    let mut random = Random::new(1);
    let streams = [
        tree(2 * depth, usize::MAX, &mut random),
        tree(1500, 40, &mut random),
        tree(clips, depth, &mut random),
        tree(clips - 2, 16, &mut random),
        nest(depth, 0),
        nest(depth - 1, 900),
        nest(depth - 1, clips / 2 - depth + 1),
        nest(1, clips / 2 - 1),
        // Deep across the borders of partitions, several times.
        [nest(200, 30), nest(depth - 1, 300), nest(depth, 0)].concat(),
    ];
    for (index, stream) in streams.iter().enumerate() {
        // Not `Shapes::Odd`: Vello's shaders cut all boxes at ±1e9, and its CPU version does not.
        for boxes in [Shapes::Large, Shapes::Any] {
            let input = Input::new(stream, boxes, &mut random);
            assert!(by_vello(&input) == input.expected(), "stream {index}, {boxes:?}");
        }
    }
}

#[test]
fn vellos_stage_is_wrong_beyond_its_limits() {
    let (clips, depth) = (VELLO_MAX_CLIPS as usize, VELLO_MAX_DEPTH as usize);
    for (name, stream) in [("deep", nest(2 * depth, 900)), ("long", nest(1, clips / 2 + 100))] {
        let input = Input::new(&stream, Shapes::Any, &mut Random::new(2));
        assert!(by_vello(&input) != input.expected(), "{name}");
    }
}
