//! The clip stage inside Vello's pipeline, on Vello's buffers: Vello's own, and Boxwood's in its
//! place. Vello's stage matches and clips, and has no group boxes.

use boxwood::native::Gpu;
use boxwood::{Aabb, NodeLink, Pipelines, read_items};
use boxwood_vello::{PassKind, VelloPass};
use vello_encoding::{Clip, ConfigUniform, DrawMonoid, PathBbox};
use vello_shaders::{ComputeShader, SHADERS};

use super::options::What;
use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::inputs::{family, scene};
use crate::measure::{bind, buffer, unchecked_pipeline};
use crate::record::Seconds;

/// The family of the streams. Its depth is below 256, the limit of Vello's stage.
const FAMILY: &str = "bounded depth";

/// The maximum size of Vello's stage as a logarithm to base 2: it has two levels of workgroups.
const VELLO_MAX: u32 = 16;

/// The maximum size of Boxwood's stage in this measurement.
const BOXWOOD_MAX: u32 = 20;

/// The operations per workgroup of Vello's stage.
const WORKGROUP_SIZE: usize = 256;

/// Vello's clip box of the root.
const ROOT: Aabb = Aabb { x0: -1e9, y0: -1e9, x1: 1e9, y1: 1e9 };

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let vello = VelloStage::new(session.gpu);
    let pipelines = Pipelines::new(device);
    let mut boxwood = VelloPass::new(device, PassKind::Clip);
    let compares = session.options.has(What::ClipStage);
    for k in session.options.sizes(if compares { BOXWOOD_MAX } else { VELLO_MAX }) {
        let stream = ClipStream::new(session.gpu, 1 << k)?;
        let measured = Measured { n: stream.n, family: FAMILY, ..Measured::default() };
        if k <= VELLO_MAX {
            let seconds = vello.time(session, &stream)?;
            let measured = Measured { seconds, is_right: stream.check(session.gpu)?, ..measured };
            if session.options.has(What::Vello) {
                session.add(Measured { what: "vello", variant: "clip_reduce and clip_leaf", ..measured });
            }
            if compares {
                session.add(Measured { what: "clip_stage", variant: "vello", ..measured });
            }
        }
        if compares {
            let (layout, buffers) = (&stream.config.layout, &stream.buffers);
            let mut recorded = Ok(());
            let seconds = session.timer.time(|pass| {
                recorded = boxwood.record_in(device, queue, &pipelines, pass, layout, buffers);
            })?;
            recorded?;
            let is_right = stream.check(session.gpu)?;
            session.add(Measured { what: "clip_stage", variant: "boxwood", seconds, is_right, ..measured });
        }
    }
    Ok(())
}

/// The buffers of Vello's clip stage for a stream of clip operations, and the expected results.
struct ClipStream {
    n: usize,
    config: ConfigUniform,
    /// The configuration, the stream, the path boxes, the draw objects, and the clip boxes, in the
    /// order of `PassKind::Clip`.
    buffers: [wgpu::Buffer; 5],
    draw_monoids_before: Vec<DrawMonoid>,
    clip_boxes: Vec<Aabb>,
    draw_monoids: Vec<DrawMonoid>,
}

impl ClipStream {
    /// A stream of `n` begins and ends. The draw object and the path of each have its index.
    fn new(gpu: &Gpu, n: usize) -> Result<Self, BenchError> {
        let Gpu { device, queue, .. } = gpu;
        let scene = scene(&family(FAMILY)?, n);
        let (nodes, _) = boxwood_cpu::scene::compact(&scene);
        let links = boxwood_cpu::tree::link_nodes(&nodes);
        let clip_boxes = boxwood_cpu::scene::clip_nodes(&scene, &nodes, &links);

        let count = u32::try_from(n).expect("there are at most 2^20 operations");
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
        let path_bboxes: Vec<PathBbox> = scene.boxes().iter().map(path_bbox).collect();
        let draw_monoids_before: Vec<DrawMonoid> = (0..count)
            .map(|i| DrawMonoid { path_ix: i, clip_ix: i, scene_offset: 2 * i, info_offset: 3 * i })
            .collect();
        let filled = |bytes: &[u8]| {
            let buffer = buffer(device, bytes.len());
            queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let buffers = [
            filled(bytemuck::bytes_of(&config)),
            filled(bytemuck::cast_slice(&clip_inp)),
            filled(bytemuck::cast_slice(&path_bboxes)),
            filled(bytemuck::cast_slice(&draw_monoids_before)),
            buffer(device, size_of::<Aabb>() * n),
        ];
        let mut draw_monoids = draw_monoids_before.clone();
        // An end gets everything from its begin except the number of clip operations before it.
        for (index, NodeLink { partner, .. }) in links.iter().enumerate() {
            if nodes[index].0 < 0
                && let Ok(begin) = usize::try_from(*partner)
            {
                let clip_ix = draw_monoids[index].clip_ix;
                draw_monoids[index] = DrawMonoid { clip_ix, ..draw_monoids[begin] };
            }
        }
        Ok(Self { n, config, buffers, draw_monoids_before, clip_boxes, draw_monoids })
    }

    /// Whether the buffers contain the expected results. Then resets them for the next stage.
    fn check(&self, gpu: &Gpu) -> Result<bool, BenchError> {
        let Gpu { device, queue, .. } = gpu;
        let [.., draw_monoids, clip_bboxes] = &self.buffers;
        let found: Vec<Aabb> = read_items(device, queue, clip_bboxes, self.n)?;
        // In Vello, empty boxes are inverted, and a large square represents the plane.
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
struct VelloStage {
    reduce: wgpu::ComputePipeline,
    leaf: wgpu::ComputePipeline,
}

impl VelloStage {
    fn new(gpu: &Gpu) -> Self {
        let [reduce, leaf] = [&SHADERS.clip_reduce, &SHADERS.clip_leaf].map(|shader| {
            #[expect(unsafe_code, reason = "Vello runs these shaders without runtime checks")]
            // SAFETY: only `VelloStage::time` dispatches these shaders. It asserts that a stream
            // has at most 256 workgroups, and dispatches `clip_reduce` for complete ones alone.
            // `clip_leaf` compares its index with the number of operations. `ClipStream` has a
            // buffer with room for every operation, and indices below their number. In its family,
            // each end has a begin, and the depth is below the 256 entries of the shaders' stack.
            // All loops have constant bounds, and workgroup memory is written before it is read.
            unsafe {
                unchecked_pipeline(gpu, &shader.name, &shader.wgsl.code)
            }
        });
        Self { reduce, leaf }
    }

    fn time(&self, session: &Session<'_>, stream: &ClipStream) -> Result<Option<Seconds>, BenchError> {
        let Gpu { device, .. } = session.gpu;
        assert!(stream.n <= 1 << VELLO_MAX, "the stage has two levels of workgroups");
        let ClipStream { n, buffers: [config, clip_inp, path_bboxes, draw_monoids, clip_bboxes], .. } =
            stream;
        let reduced = buffer(device, 8 * WORKGROUP_SIZE);
        let clip_els = buffer(device, 32 * n);
        let reduce_buffers = [clip_inp, path_bboxes, &reduced, &clip_els];
        let leaf_buffers = [config, clip_inp, path_bboxes, &reduced, &clip_els, draw_monoids, clip_bboxes];
        let reduce_group = bind(device, &self.reduce, &at_bindings(&SHADERS.clip_reduce, &reduce_buffers));
        let leaf_group = bind(device, &self.leaf, &at_bindings(&SHADERS.clip_leaf, &leaf_buffers));
        let count = |n: usize| u32::try_from(n).expect("there are at most 256 workgroups");
        // The last workgroup has no one after it that would need its summary.
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

/// Buffers with the indices of the bindings that a shader uses.
fn at_bindings<'a>(shader: &ComputeShader<'_>, buffers: &[&'a wgpu::Buffer]) -> Vec<(u32, &'a wgpu::Buffer)> {
    let indices = &shader.wgsl.binding_indices;
    assert_eq!(indices.len(), buffers.len(), "the bindings of Vello's {} have changed", shader.name);
    indices.iter().map(|&index| u32::from(index)).zip(buffers.iter().copied()).collect()
}
