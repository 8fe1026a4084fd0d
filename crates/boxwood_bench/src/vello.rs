//! Vello's own clip stage, which matches and clips but has no group boxes, over the same boxes.

use boxwood::native::Gpu;
use boxwood::{Aabb, NodeLink, Scene, read_items};
use vello_encoding::{Clip, ConfigUniform, DrawMonoid, PathBbox};
use vello_shaders::{ComputeShader, SHADERS};

use crate::compute::{bind, buffer, pipeline};
use crate::error::BenchError;
use crate::families;
use crate::input::{Shapes, elements};
use crate::row::Seconds;
use crate::session::{Measured, Session};

/// Its two levels hold no more nodes, and 256 levels of depth, which this family keeps within.
pub(crate) const MAX: u32 = 16;
pub(crate) const FAMILY: &str = "bounded depth";

/// Entries of a workgroup.
const WORKGROUP_SIZE: usize = 256;

/// What Vello gives as the clip box of the root.
const ROOT: Aabb = Aabb { x0: -1e9, y0: -1e9, x1: 1e9, y1: 1e9 };

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let stage = ClipStage::new(session.gpu);
    for k in session.options.sizes(MAX) {
        let stream = ClipStream::new(session.gpu, 1 << k);
        let seconds = stage.time(session, &stream)?;
        session.add(&Measured {
            what: "vello",
            n: stream.n,
            family: FAMILY,
            variant: "clip_reduce and clip_leaf",
            seconds,
            bytes_each: None,
            is_right: stream.is_right(session.gpu)?,
        });
    }
    Ok(())
}

/// The buffers of Vello's clip stage for a stream of clip operations, and what it is to leave in them.
pub(crate) struct ClipStream {
    pub(crate) n: usize,
    pub(crate) config: ConfigUniform,
    /// In the order of `boxwood_vello::CLIP_BUFFERS`: the configuration, the stream, the path boxes, the draw objects and the clip boxes.
    pub(crate) buffers: [wgpu::Buffer; 5],
    draw_monoids_before: Vec<DrawMonoid>,
    clip_boxes: Vec<Aabb>,
    draw_monoids: Vec<DrawMonoid>,
}

impl ClipStream {
    /// So many begins and ends. Each is the draw object and the path of its own number.
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Self {
        let Gpu { device, queue, .. } = gpu;
        let family = families().into_iter().find(|f| f.name == FAMILY).expect("it is one of them");
        let elements: Scene = elements(&family, n, Shapes::Large);
        let (nodes, _) = boxwood_cpu::scene::compact(&elements);
        let links = boxwood_cpu::tree::link_nodes(&nodes);
        let clip_boxes = boxwood_cpu::scene::clip_nodes(&elements, &nodes, &links);

        let count = u32::try_from(n).expect("there are at most 2^20");
        let mut config = ConfigUniform::default();
        config.layout.n_clips = count;
        let clip_inp: Vec<Clip> = (0..).zip(&nodes).map(|(ix, node)| Clip { ix, path_ix: node.0 }).collect();
        #[expect(clippy::cast_possible_truncation, reason = "the boxes have small whole numbers")]
        let path_bbox = |b: &Aabb| PathBbox {
            x0: b.x0 as i32,
            y0: b.y0 as i32,
            x1: b.x1 as i32,
            y1: b.y1 as i32,
            ..PathBbox::default()
        };
        let path_bboxes: Vec<PathBbox> = elements.boxes().iter().map(path_bbox).collect();
        let draw_monoids_before: Vec<DrawMonoid> = (0..count)
            .map(|i| DrawMonoid { path_ix: i, clip_ix: i, scene_offset: 2 * i, info_offset: 3 * i })
            .collect();
        let with = |bytes: &[u8]| {
            let buffer = buffer(device, bytes.len());
            queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let buffers = [
            with(bytemuck::bytes_of(&config)),
            with(bytemuck::cast_slice(&clip_inp)),
            with(bytemuck::cast_slice(&path_bboxes)),
            with(bytemuck::cast_slice(&draw_monoids_before)),
            buffer(device, size_of::<Aabb>() * n),
        ];
        let mut draw_monoids = draw_monoids_before.clone();
        // An end takes from its begin all but the number of clip operations before it.
        for (index, NodeLink { partner, .. }) in links.iter().enumerate() {
            if nodes[index].0 < 0
                && let Ok(begin) = usize::try_from(*partner)
            {
                let clip_ix = draw_monoids[index].clip_ix;
                draw_monoids[index] = DrawMonoid { clip_ix, ..draw_monoids[begin] };
            }
        }
        Self { n, config, buffers, draw_monoids_before, clip_boxes, draw_monoids }
    }

    /// Whether the buffers hold what the stage is to leave. Then they hold what they held at first, and the next one has to write it again.
    pub(crate) fn is_right(&self, gpu: &Gpu) -> Result<bool, BenchError> {
        let Gpu { device, queue, .. } = gpu;
        let [.., draw_monoids, clip_bboxes] = &self.buffers;
        let found: Vec<Aabb> = read_items(device, queue, clip_bboxes, self.n)?;
        // Vello leaves empty boxes inverted, and has a large square for the plane.
        let canonical = |b: &Aabb| if *b == ROOT { Aabb::PLANE } else { b.canonical() };
        let has_boxes = found.iter().map(canonical).eq(self.clip_boxes.iter().copied());
        let has_begins = read_items::<DrawMonoid>(device, queue, draw_monoids, self.n)? == self.draw_monoids;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.clear_buffer(clip_bboxes, 0, None);
        queue.submit([encoder.finish()]);
        queue.write_buffer(draw_monoids, 0, bytemuck::cast_slice(&self.draw_monoids_before));
        Ok(has_boxes && has_begins)
    }
}

/// Vello's two shaders.
pub(crate) struct ClipStage {
    reduce: wgpu::ComputePipeline,
    leaf: wgpu::ComputePipeline,
}

impl ClipStage {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let compile = |shader: &ComputeShader<'_>| pipeline(gpu, &shader.name, &shader.wgsl.code);
        Self { reduce: compile(&SHADERS.clip_reduce), leaf: compile(&SHADERS.clip_leaf) }
    }

    pub(crate) fn time(
        &self,
        session: &Session<'_>,
        stream: &ClipStream,
    ) -> Result<Option<Seconds>, BenchError> {
        let Gpu { device, .. } = session.gpu;
        let ClipStream { n, buffers: [config, clip_inp, path_bboxes, draw_monoids, clip_bboxes], .. } =
            stream;
        let reduced = buffer(device, 8 * WORKGROUP_SIZE);
        let clip_els = buffer(device, 32 * n);
        let reduce_buffers = [clip_inp, path_bboxes, &reduced, &clip_els];
        let leaf_buffers = [config, clip_inp, path_bboxes, &reduced, &clip_els, draw_monoids, clip_bboxes];
        let reduce_group = bind(device, &self.reduce, &at_bindings(&SHADERS.clip_reduce, &reduce_buffers));
        let leaf_group = bind(device, &self.leaf, &at_bindings(&SHADERS.clip_leaf, &leaf_buffers));
        let count = |n: usize| u32::try_from(n).expect("there are at most 256");
        let (n_reduce, n_leaf) = (count((n - 1) / WORKGROUP_SIZE), count(n.div_ceil(WORKGROUP_SIZE)));
        session.timer.time(|pass| {
            if n_reduce > 0 {
                pass.set_pipeline(&self.reduce);
                pass.set_bind_group(0, &reduce_group, &[]);
                pass.dispatch_workgroups(n_reduce, 1, 1);
            }
            pass.set_pipeline(&self.leaf);
            pass.set_bind_group(0, &leaf_group, &[]);
            pass.dispatch_workgroups(n_leaf, 1, 1);
        })
    }
}

/// Buffers with the bindings of a shader, which lists those that it uses.
fn at_bindings<'a>(shader: &ComputeShader<'_>, buffers: &[&'a wgpu::Buffer]) -> Vec<(u32, &'a wgpu::Buffer)> {
    let indices = &shader.wgsl.binding_indices;
    assert_eq!(indices.len(), buffers.len(), "Vello's {} binds what it bound", shader.name);
    indices.iter().map(|&index| u32::from(index)).zip(buffers.iter().copied()).collect()
}
