//! The boxes of paths.

use boxwood::Aabb;
use boxwood::native::Gpu;
use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathPipelines};
use boxwood::paths::{PathStreams, StreamLayout};

use crate::Random;
use crate::error::BenchError;
use crate::options::What;
use crate::session::{Measured, Session};
use crate::timer::time_on_cpu;

/// Segments of a path.
const N_SEGMENTS: usize = 8;

/// The most paths: a round number.
const MAX_PATHS: usize = 1_000_000;

/// Path tags of `vello_encoding`.
const TRANSFORM: u8 = 0x20;
const STYLE: u8 = 0x40;
const PATH: u8 = 0x10;
const F32: u8 = 8;
const SUBPATH_END: u8 = 4;

/// What paths are made of.
struct Kind {
    name: &'static str,
    /// How many points each segment takes beside its start: 1 to 3.
    points: [usize; N_SEGMENTS],
    is_stroke: bool,
}

const KINDS: [Kind; 4] = [
    Kind { name: "lines", points: [1; N_SEGMENTS], is_stroke: false },
    Kind { name: "lines and curves", points: [1, 3, 2, 3, 1, 3, 2, 3], is_stroke: false },
    Kind { name: "cubics", points: [3; N_SEGMENTS], is_stroke: false },
    Kind { name: "strokes", points: [1, 3, 2, 3, 1, 3, 2, 3], is_stroke: true },
];

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    if !session.options.has(What::PathPipelines) {
        return Ok(());
    }
    let path_bounds = PathPipelines::new(&session.gpu.device);
    let mut sizes = session.options.sizes(20);
    if session.options.quick {
        // Strokes take their time on a CPU.
        sizes.truncate(1);
    }
    for k in sizes {
        for kind in &KINDS {
            measure_kind(session, &path_bounds, kind, MAX_PATHS.min(1 << k))?;
        }
    }
    Ok(())
}

fn measure_kind(
    session: &mut Session<'_>,
    path_bounds: &PathPipelines,
    kind: &Kind,
    n: usize,
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let (words, layout) = scene(kind, n);
    let streams = PathStreams::new(&words, layout).expect("the streams are one after the other");
    // What the device does not hold is not measured.
    let size = PathBuffersDescriptor::of(&streams);
    let Ok(mut buffers) = PathBuffers::new(device, path_bounds, &size) else { return Ok(()) };
    buffers.upload(queue, &streams).expect("the buffers are as large");

    let (seconds, expected) =
        time_on_cpu(session.options.n_runs(), || boxwood_cpu::paths::path_boxes(&streams));
    let mut measured = Measured {
        what: "paths",
        n,
        family: kind.name,
        variant: "cpu",
        seconds,
        bytes_each: None,
        is_right: true,
    };
    session.add(&measured);
    measured.variant = "gpu";
    let seconds = session.timer.time(|pass| buffers.record_in(pass))?;
    measured.is_right = session.comparer.difference("path_boxes", &expected, buffers.path_boxes())?.is_none();
    // The bound is to copy the streams once, which reads and writes each word, and to write the boxes.
    #[expect(clippy::cast_precision_loss, reason = "scenes are far smaller than 2^52 bytes")]
    let bytes_each = (8 * words.len()) as f64 / n as f64 + size_of::<Aabb>() as f64;
    session.add(&Measured { seconds, bytes_each: Some(bytes_each), ..measured });
    // Each takes up what those before it leave, and leaves something else.
    let dispatches: Vec<_> = buffers.dispatches().collect();
    for (index, dispatch) in dispatches.iter().enumerate() {
        let before =
            |pass: &mut wgpu::ComputePass<'_>| dispatches[..index].iter().for_each(|d| d.record(pass));
        let seconds = session.timer.time_after(before, |pass| dispatch.record(pass))?;
        session.add(&Measured { what: dispatch.shader().name, seconds, ..measured });
    }
    Ok(())
}

/// So many paths, each near its own place, under a transform and with a style of its own.
fn scene(kind: &Kind, n: usize) -> (Vec<u32>, StreamLayout) {
    let mut random = Random::new(1);
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    let mut coordinate = move || random.below(1 << 16) as f32 / 1024.0;
    let tag = |points: &usize| F32 | u8::try_from(*points).expect("there are 3 at most");
    let mut tags = vec![TRANSFORM, STYLE];
    tags.extend(kind.points.iter().map(tag));
    if kind.is_stroke {
        // The marker of an open subpath.
        tags.push(F32 | SUBPATH_END | 2);
    } else if let Some(last) = tags.last_mut() {
        *last |= SUBPATH_END;
    }
    tags.push(PATH);
    let mut tags = tags.repeat(n);
    tags.resize(tags.len().next_multiple_of(4), 0);
    let n_points = 1 + kind.points.iter().sum::<usize>() + if kind.is_stroke { 2 } else { 0 };

    let mut words: Vec<u32> = tags.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    let base = |words: &Vec<u32>| u32::try_from(words.len()).expect("it is within a buffer");
    let path_data_base = base(&words);
    words.extend((0..2 * n_points * n).map(|_| coordinate().to_bits()));
    let draw_tag_base = base(&words);
    for _ in 0..n {
        let (scale, skew) = (coordinate() / 32.0 + 0.5, coordinate() / 256.0);
        let transform = [scale, skew, -skew, scale, coordinate() * 32.0, coordinate() * 32.0];
        words.extend(transform.map(f32::to_bits));
    }
    let style_base = base(&words);
    for _ in 0..n {
        // A stroke with miters up to 4 and butt caps.
        let flags = if kind.is_stroke { 1 << 31 | 1 << 28 | 0x4400 } else { 0 };
        words.extend([flags, (coordinate() / 16.0).to_bits()]);
    }
    let layout = StreamLayout {
        n_draw_objects: u32::try_from(n).expect("there are few"),
        n_paths: u32::try_from(n).expect("there are few"),
        path_data_base,
        draw_tag_base,
        draw_data_base: draw_tag_base,
        transform_base: draw_tag_base,
        style_base,
        ..StreamLayout::default()
    };
    (words, layout)
}
