//! The boxes of paths.

use boxwood::Aabb;
use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathStreams, StreamLayout};
use boxwood::testing::Part;
use vello_encoding::{PathTag, Style};

use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::measure::{difference, time_on_cpu};
use crate::record::{COPY_BYTES, ONE_CORE, float};
use boxwood_inputs::Random;

/// The number of segments of a path.
const N_SEGMENTS: usize = 8;

/// The maximum number of paths, a round number near 2^20.
const MAX_PATHS: usize = 1_000_000;

/// The maximum size as a logarithm to base 2, at which there are [`MAX_PATHS`].
const MAX_SIZE: u32 = 20;

/// The tags of segments. The lowest two bits are the number of points in addition to the start.
const LINE: u8 = PathTag::LINE_TO_F32.0;
const QUAD: u8 = PathTag::QUAD_TO_F32.0;
const CUBIC: u8 = PathTag::CUBIC_TO_F32.0;

/// The end of an open subpath: two points from its start that give the direction of a cap.
const OPEN_END: u8 = QUAD | PathTag::SUBPATH_END_BIT;

/// The flags of a stroke with butt caps and with miter joins up to a limit of 4, as an `f16`.
const STROKE: u32 = Style::FLAGS_STYLE_BIT | Style::FLAGS_JOIN_BITS_MITER | 0x4400;

/// A kind of path.
struct Kind {
    name: &'static str,
    segments: [u8; N_SEGMENTS],
    is_stroke: bool,
}

const MIXED: [u8; N_SEGMENTS] = [LINE, CUBIC, QUAD, CUBIC, LINE, CUBIC, QUAD, CUBIC];

const KINDS: [Kind; 4] = [
    Kind { name: "lines", segments: [LINE; N_SEGMENTS], is_stroke: false },
    Kind { name: "lines and curves", segments: MIXED, is_stroke: false },
    Kind { name: "cubics", segments: [CUBIC; N_SEGMENTS], is_stroke: false },
    Kind { name: "strokes", segments: MIXED, is_stroke: true },
];

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let context = Context::new(&session.gpu.device);
    let mut sizes = session.options.sizes(MAX_SIZE);
    if session.options.quick {
        // Strokes are slow in software.
        sizes.truncate(1);
    }
    for k in sizes {
        for kind in &KINDS {
            measure_kind(session, &context, kind, MAX_PATHS.min(1 << k))?;
        }
    }
    Ok(())
}

fn measure_kind(
    session: &mut Session<'_>,
    context: &Context,
    kind: &Kind,
    n: usize,
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let (words, layout) = packed_scene(kind, n);
    let streams = PathStreams::new(&words, layout).expect("the streams are in order");
    // Scenes that the device cannot hold are skipped.
    let Ok(mut buffers) = PathBuffers::new(context, &PathBuffersDescriptor::of(&streams)) else {
        return Ok(());
    };
    buffers.upload(queue, &streams).expect("the buffers have the size of the streams");

    let (seconds, expected) =
        time_on_cpu(session.options.n_runs(), || boxwood_cpu::paths::twin::path_boxes(&streams));
    let measured = Measured { what: "paths", n, family: kind.name, is_right: true, ..Measured::default() };
    session.add(Measured { variant: ONE_CORE, seconds, ..measured })?;
    let seconds = session.timer.time(|pass| buffers.record_in(pass))?;
    let found = boxwood::read_items(device, queue, buffers.path_boxes(), n)?;
    let is_right = difference("path_boxes", &expected, &found).is_none();
    let measured = Measured { variant: "gpu", is_right, ..measured };
    // The bound copies the streams once, which reads and writes each word, and writes the boxes.
    let bytes_each = COPY_BYTES * float(words.len()) / float(n) + float(size_of::<Aabb>());
    session.add(Measured { seconds, bytes_each: Some(bytes_each), ..measured })?;
    // A dispatch needs the results of those before it.
    let dispatches = buffers.dispatches();
    for (index, dispatch) in dispatches.iter().enumerate() {
        let before = |pass: &mut wgpu::ComputePass<'_>| {
            dispatches[..index].iter().for_each(|dispatch| record_alone(dispatch, pass));
        };
        let seconds = session.timer.time_after(before, |pass| record_alone(dispatch, pass))?;
        session.add(Measured { what: dispatch.name(), seconds, ..measured })?;
    }
    Ok(())
}

fn record_alone(dispatch: &Part<'_>, pass: &mut wgpu::ComputePass<'_>) {
    #[expect(unsafe_code, reason = "a dispatch alone is timed")]
    // SAFETY: `measure_kind` runs the whole stage over the same scene before, and waits for it.
    // Before each timed dispatch, it records those before it.
    unsafe {
        dispatch.record(pass);
    }
}

/// A packed scene of `n` paths, each with random points, a transform, and a style.
fn packed_scene(kind: &Kind, n: usize) -> (Vec<u32>, StreamLayout) {
    let mut random = Random::new(1);
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    let mut coordinate = move || random.below(1 << 16) as f32 / 1024.0;
    let mut segments = kind.segments.to_vec();
    if kind.is_stroke {
        segments.push(OPEN_END);
    } else {
        segments[N_SEGMENTS - 1] |= PathTag::SUBPATH_END_BIT;
    }
    let n_points = 1 + segments.iter().map(|tag| usize::from(tag & 3)).sum::<usize>();
    let tags = [&[PathTag::TRANSFORM.0, PathTag::STYLE.0], &*segments, &[PathTag::PATH.0]].concat();
    let mut tags = tags.repeat(n);
    tags.resize(tags.len().next_multiple_of(4), 0);

    let points: Vec<f32> = (0..2 * n_points * n).map(|_| coordinate()).collect();
    let transform = |_| {
        let (scale, skew) = (coordinate() / 32.0 + 0.5, coordinate() / 256.0);
        [scale, skew, -skew, scale, coordinate() * 32.0, coordinate() * 32.0]
    };
    let transforms: Vec<[f32; 6]> = (0..n).map(transform).collect();
    let flags = if kind.is_stroke { STROKE } else { 0 };
    let styles: Vec<[u32; 2]> = (0..n).map(|_| [flags, (coordinate() / 16.0).to_bits()]).collect();

    let mut words: Vec<u32> = Vec::new();
    let count = |n: usize| u32::try_from(n).expect("the scene fits in a buffer");
    let mut append = |stream: &[u8]| {
        let base = count(words.len());
        words.extend(stream.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>));
        base
    };
    // The streams are appended in this order. There are no draw tags and no draw data.
    let layout = StreamLayout {
        n_draw_objects: count(n),
        n_paths: count(n),
        path_tag_base: append(&tags),
        path_data_base: append(bytemuck::cast_slice(&points)),
        draw_tag_base: append(&[]),
        draw_data_base: append(&[]),
        transform_base: append(bytemuck::cast_slice(&transforms)),
        style_base: append(bytemuck::cast_slice(&styles)),
        ..StreamLayout::default()
    };
    (words, layout)
}
