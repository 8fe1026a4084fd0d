//! Vello's own clip stage, which matches and clips but has no group boxes, over the same boxes.

use boxwood::{Aabb, Gpu, read_items};
use vello_shaders::{ComputeShader, SHADERS};

use crate::ceiling::{bind, buffer, pipeline};
use crate::error::BenchError;
use crate::families;
use crate::input::{Shapes, elements};
use crate::session::{Measured, Session};

/// Its two levels hold no more nodes, and 256 levels of depth, which this family keeps within.
const MAX: u32 = 16;
const FAMILY: &str = "bounded depth";

/// Entries of a workgroup.
const WORKGROUP_SIZE: usize = 256;

/// Words of Vello's configuration, and which of them counts the nodes.
const CONFIG_WORDS: usize = 22;
const N_CLIP: usize = 7;

/// What Vello gives as the clip box of the root.
const ROOT: Aabb = Aabb { x0: -1e9, y0: -1e9, x1: 1e9, y1: 1e9 };

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let stage = ClipStage::new(session.gpu);
    let family = families().into_iter().find(|f| f.name == FAMILY).expect("it is one of them");
    for k in session.options.sizes(MAX) {
        stage.measure(session, &elements(&family, 1 << k, Shapes::Large))?;
    }
    Ok(())
}

struct ClipStage {
    reduce: wgpu::ComputePipeline,
    leaf: wgpu::ComputePipeline,
}

impl ClipStage {
    fn new(gpu: &Gpu) -> Self {
        let compile = |shader: &ComputeShader<'_>| pipeline(gpu, &shader.name, &shader.wgsl.code);
        Self { reduce: compile(&SHADERS.clip_reduce), leaf: compile(&SHADERS.clip_leaf) }
    }

    fn measure(&self, session: &mut Session<'_>, elements: &boxwood::Elements) -> Result<(), BenchError> {
        let Gpu { device, queue, .. } = session.gpu;
        let n = elements.n_nodes();
        let (nodes, _) = boxwood_cpu::compact(elements);
        let links = boxwood_cpu::match_nodes(&nodes);
        let expected = boxwood_cpu::clip_nodes(elements, &nodes, &links);

        let with = |words: &[i32]| {
            let buffer = buffer(device, 4 * words.len());
            queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
            buffer
        };
        let mut config = [0; CONFIG_WORDS];
        config[N_CLIP] = i32::try_from(n).expect("there are at most 2^16");
        let config = with(&config);
        // Each node is the draw object and the path of its own number, as the elements are nodes alone.
        let inputs: Vec<i32> = (0..).zip(&nodes).flat_map(|(index, node)| [index, node.0]).collect();
        let clip_inp = with(&inputs);
        #[expect(clippy::cast_possible_truncation, reason = "the boxes have small whole numbers")]
        let box_words = |b: &Aabb| [b.x0 as i32, b.y0 as i32, b.x1 as i32, b.y1 as i32, 0, 0];
        let path_bboxes = with(&elements.boxes().iter().flat_map(box_words).collect::<Vec<_>>());
        let reduced = buffer(device, 8 * WORKGROUP_SIZE);
        let clip_els = buffer(device, 32 * n);
        let draw_monoids = buffer(device, 16 * n);
        let clip_bboxes = buffer(device, 16 * n);

        let reduce_buffers = [&clip_inp, &path_bboxes, &reduced, &clip_els];
        let leaf_buffers =
            [&config, &clip_inp, &path_bboxes, &reduced, &clip_els, &draw_monoids, &clip_bboxes];
        let reduce_group = bind(device, &self.reduce, &at_bindings(&SHADERS.clip_reduce, &reduce_buffers));
        let leaf_group = bind(device, &self.leaf, &at_bindings(&SHADERS.clip_leaf, &leaf_buffers));
        let count = |n: usize| u32::try_from(n).expect("there are at most 256");
        let (n_reduce, n_leaf) = (count((n - 1) / WORKGROUP_SIZE), count(n.div_ceil(WORKGROUP_SIZE)));
        let seconds = session.timer.time(|pass| {
            if n_reduce > 0 {
                pass.set_pipeline(&self.reduce);
                pass.set_bind_group(0, &reduce_group, &[]);
                pass.dispatch_workgroups(n_reduce, 1, 1);
            }
            pass.set_pipeline(&self.leaf);
            pass.set_bind_group(0, &leaf_group, &[]);
            pass.dispatch_workgroups(n_leaf, 1, 1);
        })?;
        let found: Vec<Aabb> = read_items(device, queue, &clip_bboxes, n)?;
        // Vello leaves empty boxes inverted, and has a large square for the plane.
        let canonical = |b: &Aabb| if *b == ROOT { Aabb::PLANE } else { b.canonical() };
        session.add(&Measured {
            what: "vello",
            n,
            family: FAMILY,
            variant: "clip_reduce and clip_leaf",
            seconds,
            bytes_each: None,
            is_right: found.iter().map(canonical).eq(expected),
        });
        Ok(())
    }
}

/// Buffers with the bindings of a shader, which lists those that it uses.
fn at_bindings<'a>(shader: &ComputeShader<'_>, buffers: &[&'a wgpu::Buffer]) -> Vec<(u32, &'a wgpu::Buffer)> {
    let indices = &shader.wgsl.binding_indices;
    assert_eq!(indices.len(), buffers.len(), "Vello's {} binds what it bound", shader.name);
    indices.iter().map(|&index| u32::from(index)).zip(buffers.iter().copied()).collect()
}
