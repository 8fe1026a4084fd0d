//! The clip stage inside Vello's pipeline, on Vello's buffers: Vello's own, and Boxwood's in its
//! place. Vello's stage matches and clips, and has no group boxes.

use boxwood::native::Gpu;
use boxwood::{Aabb, Context, Entry, EntryLink, read_items};
use boxwood_vello::{PassKind, VelloPass};
use vello_encoding::{Clip, ConfigUniform, DrawMonoid, PathBbox};
use vello_shaders::{ComputeShader, SHADERS};

use super::options::What;
use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::measure::{Kernel, buffer};
use crate::record::Seconds;
use boxwood_inputs::{family, scene};

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
    let context = Context::new(device);
    let mut boxwood = VelloPass::new(&context, PassKind::Clip);
    let compares = session.options.has(What::ClipStage);
    for k in session.options.sizes(if compares { BOXWOOD_MAX } else { VELLO_MAX }) {
        let measured = Measured { n: 1 << k, family: FAMILY, ..Measured::default() };
        if k <= VELLO_MAX {
            let stream = ClipStream::new(session.gpu, 1 << k)?;
            let seconds = time_vello(session, &stream)?;
            let measured = Measured { seconds, is_right: stream.is_right(session.gpu)?, ..measured };
            if session.options.has(What::Vello) {
                session.add(Measured { what: "vello", variant: "clip_reduce and clip_leaf", ..measured })?;
            }
            if compares {
                session.add(Measured { what: "clip_stage", variant: "vello", ..measured })?;
            }
        }
        if compares {
            let stream = ClipStream::new(session.gpu, 1 << k)?;
            let (layout, buffers) = (&stream.config.layout, &stream.buffers);
            let mut recorded = Ok(());
            let seconds = session.timer.time(|pass| {
                recorded = boxwood.record_in(queue, pass, layout, buffers);
            })?;
            recorded?;
            let is_right = stream.is_right(session.gpu)?;
            session.add(Measured {
                what: "clip_stage",
                variant: "boxwood",
                seconds,
                is_right,
                ..measured
            })?;
        }
    }
    Ok(())
}

/// The buffers of Vello's clip stage for a stream of clip operations, and the expected results.
struct ClipStream {
    config: ConfigUniform,
    /// The configuration, the stream, the path boxes, the draw objects, and the clip boxes, in the
    /// order of `PassKind::Clip`.
    buffers: [wgpu::Buffer; 5],
    clip_boxes: Vec<Aabb>,
    draw_monoids: Vec<DrawMonoid>,
}

impl ClipStream {
    /// A stream of `n` begins and ends. The draw object and the path of each have its index.
    fn new(gpu: &Gpu, n: u32) -> Result<Self, BenchError> {
        let Gpu { device, queue, .. } = gpu;
        let scene = scene(&family(FAMILY)?, n as usize, 1, false);
        let (entries, _) = boxwood_cpu::specification::scene::compact(&scene);
        let links = boxwood_cpu::specification::tree::link_entries(&entries);
        let clip_boxes = boxwood_cpu::specification::scene::clip_entries(&scene, &entries, &links);

        let mut config = ConfigUniform::default();
        config.layout.n_clips = n;
        let clip_inp: Vec<Clip> =
            (0..).zip(&entries).map(|(ix, entry)| Clip { ix, path_ix: entry.0 }).collect();
        #[expect(clippy::cast_possible_truncation, reason = "the boxes have small whole numbers")]
        let path_bbox = |b: &Aabb| PathBbox {
            x0: b.x0 as i32,
            y0: b.y0 as i32,
            x1: b.x1 as i32,
            y1: b.y1 as i32,
            ..PathBbox::default()
        };
        let path_bboxes: Vec<PathBbox> = scene.boxes().iter().map(path_bbox).collect();
        let draw_monoid = |i| DrawMonoid { path_ix: i, clip_ix: i, scene_offset: 2 * i, info_offset: 3 * i };
        let draw_monoids: Vec<DrawMonoid> = (0..n).map(draw_monoid).collect();
        let filled = |bytes: &[u8]| {
            let buffer = buffer(device, bytes.len());
            queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let buffers = [
            filled(bytemuck::bytes_of(&config)),
            filled(bytemuck::cast_slice(&clip_inp)),
            filled(bytemuck::cast_slice(&path_bboxes)),
            filled(bytemuck::cast_slice(&draw_monoids)),
            buffer(device, size_of::<Aabb>() * entries.len()),
        ];
        // An end gets everything from its begin except the number of clip operations before it.
        let result = |(clip_ix, (entry, link)): (u32, (&Entry, &EntryLink))| {
            let begin = u32::try_from(link.partner).ok().filter(|_| !entry.is_begin());
            DrawMonoid { clip_ix, ..draw_monoid(begin.unwrap_or(clip_ix)) }
        };
        let draw_monoids = (0..n).zip(entries.iter().zip(&links)).map(result).collect();
        Ok(Self { config, buffers, clip_boxes, draw_monoids })
    }

    /// Whether the buffers contain the expected results.
    fn is_right(&self, gpu: &Gpu) -> Result<bool, BenchError> {
        let Gpu { device, queue, .. } = gpu;
        let [.., draw_monoids, clip_bboxes] = &self.buffers;
        let n = self.clip_boxes.len();
        let found: Vec<Aabb> = read_items(device, queue, clip_bboxes, n)?;
        // In Vello, empty boxes are inverted, and a large square represents the plane.
        let canonical = |b: &Aabb| if *b == ROOT { Aabb::PLANE } else { b.canonical() };
        Ok(found.iter().map(canonical).eq(self.clip_boxes.iter().copied())
            && read_items::<DrawMonoid>(device, queue, draw_monoids, n)? == self.draw_monoids)
    }
}

/// Times Vello's two shaders.
fn time_vello(session: &Session<'_>, stream: &ClipStream) -> Result<Option<Seconds>, BenchError> {
    let Gpu { device, .. } = session.gpu;
    let [config, clip_inp, path_bboxes, draw_monoids, clip_bboxes] = &stream.buffers;
    let n = stream.clip_boxes.len();
    assert!(n <= 1 << VELLO_MAX, "the stage has two levels of workgroups");
    let reduced = &buffer(device, 8 * WORKGROUP_SIZE);
    let clip_els = &buffer(device, 32 * n);
    let kernel = |shader: &ComputeShader<'_>, named: &[(&str, &wgpu::Buffer)]| {
        let (names, buffers): (Vec<_>, Vec<_>) = named.iter().copied().unzip();
        let are_bound = bindings(&shader.wgsl.code).eq(names.into_iter().enumerate());
        assert!(are_bound, "the bindings of Vello's {} have changed", shader.name);
        #[expect(unsafe_code, reason = "Vello runs these shaders without runtime checks")]
        // SAFETY: each binding has the buffer of its name, as asserted above. A stream has at most
        // 256 workgroups, and `clip_reduce` is dispatched for complete ones alone. `clip_leaf`
        // compares its index with the number of operations. `ClipStream` has a buffer with room for
        // every operation, and indices below their number. In its family, each end has a begin, and
        // the depth is below the 256 entries of the shaders' stack. All loops have constant bounds,
        // and workgroup memory is written before it is read.
        unsafe {
            Kernel::unchecked(session.gpu, &shader.name, &shader.wgsl.code, &buffers)
        }
    };
    let inputs = [("clip_inp", clip_inp), ("path_bboxes", path_bboxes), ("reduced", reduced)];
    let reduce = kernel(&SHADERS.clip_reduce, &[&inputs[..], &[("clip_out", clip_els)]].concat());
    let outputs = [("clip_els", clip_els), ("draw_monoids", draw_monoids), ("clip_bboxes", clip_bboxes)];
    let leaf = kernel(&SHADERS.clip_leaf, &[&[("config", config)], &inputs[..], &outputs].concat());
    let count = |n: usize| u32::try_from(n).expect("there are at most 256 workgroups");
    // The last workgroup has no one after it that would need its summary.
    let (n_reduce, n_leaf) = (count((n - 1) / WORKGROUP_SIZE), count(n.div_ceil(WORKGROUP_SIZE)));
    session.timer.time(|pass| {
        if n_reduce > 0 {
            reduce.dispatch(pass, [n_reduce, 1]);
        }
        leaf.dispatch(pass, [n_leaf, 1]);
    })
}

/// The indices and names of the bindings that a shader declares, in the order of its text.
fn bindings(wgsl: &str) -> impl Iterator<Item = (usize, &str)> {
    wgsl.split("@binding(").skip(1).filter_map(|declaration| {
        let (index, variable) = declaration.split_once(')')?;
        let name = variable.split_once(':')?.0.split_whitespace().last()?;
        Some((index.parse().ok()?, name))
    })
}
