//! Packed scenes of paths, and their boxes on the GPU.

use boxwood::Aabb;
use boxwood::Context;
use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathStreams, RoundedBox, StreamLayout};
use boxwood_cpu::paths::twin;
use kurbo::{Affine, BezPath, Cap, Join, Point, Stroke};
use vello_encoding::{Encoding, Resolver, Transform};

use crate::{Gpu, Random, gpu, read_items};

/// A packed scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// All streams, one after the other.
    pub words: Vec<u32>,
    /// The positions of the streams.
    pub layout: StreamLayout,
}

impl Packed {
    /// The scene that Vello's resolver packs an encoding into.
    pub fn of(encoding: &Encoding) -> Self {
        let mut bytes = Vec::new();
        let (layout, ..) = Resolver::new().resolve(encoding, &mut bytes);
        let words = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        Self { words, layout: bytemuck::cast(layout) }
    }

    /// The scene with these streams and no draw objects. The path tags are padded to whole words.
    pub fn of_streams(tags: &[u8], data: &[u32], transforms: &[[f32; 6]], styles: &[[u32; 2]]) -> Self {
        let mut words: Vec<u32> = Vec::new();
        let mut at = |stream: &[u32]| {
            let base = u32::try_from(words.len()).expect("it is small");
            words.extend(stream);
            base
        };
        let n_paths = tags.iter().filter(|&&tag| tag & 0x10 != 0).count();
        let mut tags = tags.to_vec();
        tags.resize(tags.len().next_multiple_of(4), 0);
        let tags: Vec<u32> = tags.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        let (path_tag_base, path_data_base) = (at(&tags), at(data));
        let draw_tag_base = at(&[]);
        let transforms: &[u32] = bytemuck::cast_slice(transforms);
        let (transform_base, style_base) = (at(transforms), at(bytemuck::cast_slice(styles)));
        let layout = StreamLayout {
            n_paths: u32::try_from(n_paths).expect("it is small"),
            path_tag_base,
            path_data_base,
            draw_tag_base,
            draw_data_base: draw_tag_base,
            transform_base,
            style_base,
            ..StreamLayout::default()
        };
        Self { words, layout }
    }

    /// The streams.
    ///
    /// # Panics
    ///
    /// Panics if the layout does not fit the words.
    pub fn streams(&self) -> PathStreams<'_> {
        PathStreams::new(&self.words, self.layout).expect("the streams are in order")
    }
}

/// The coordinates of a random scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Numbers as in drawings.
    Moderate,
    /// Numbers of all magnitudes, infinities, and NaN.
    Any,
}

impl Numbers {
    fn coordinate(self, random: &mut Random) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
        let moderate = (random.below(1 << 20) as f32 - (1 << 19) as f32) / 512.0;
        match (self, random.below(16)) {
            (_, 0..4) => moderate.round(),
            (Self::Moderate, _) | (Self::Any, 4..12) => moderate,
            (Self::Any, 12) => moderate * 1e30,
            (Self::Any, 13) => moderate * 1e-20,
            (Self::Any, 14) => {
                [0.0, -0.0, 1e-40, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY, f32::NAN][random.below(7)]
            }
            (Self::Any, _) => f32::from_bits(u32::try_from(random.bits() >> 32).expect("32 bits are left")),
        }
    }

    fn transform(self, random: &mut Random) -> [f32; 6] {
        let mut entry = || self.coordinate(random) / 256.0;
        let mut transform = [entry(), entry(), entry(), entry(), entry() * 256.0, entry() * 256.0];
        match random.below(8) {
            0 => transform[..4].copy_from_slice(&[1.0, 0.0, 0.0, 1.0]),
            1 => (transform[1], transform[2]) = (0.0, 0.0),
            2 => (transform[2], transform[3]) = (transform[0], transform[1]),
            _ => {}
        }
        transform
    }
}

/// A scene of `n_tags` tags of any kind in any order, which no encoder would write.
pub fn random_streams(n_tags: usize, numbers: Numbers, seed: u64) -> Packed {
    let mut random = Random::new(seed);
    let mut tags = vec![0x20, 0x40];
    let (mut n_data, mut n_transforms, mut n_styles) = (0, 1, 1);
    for _ in 0..n_tags {
        let tag: u8 = match random.below(32) {
            0 => 0x20,
            1 => 0x40,
            2..6 => 0x10,
            6 => [0, 0x04, 0x0c, 0x30, 0x1b, 0x7f, 0x80, 0xff][random.below(8)],
            7..10 => [0x0d, 0x0e, 0x05, 0x06, 0x0f][random.below(5)],
            10..14 => [1, 2, 3][random.below(3)],
            _ => [9, 10, 11][random.below(3)],
        };
        let n_points = usize::from(tag & 3) + usize::from(tag & 4 != 0);
        n_data += if tag & 8 != 0 { 2 * n_points } else { n_points };
        n_transforms += usize::from(tag & 0x20 != 0);
        n_styles += usize::from(tag & 0x40 != 0);
        tags.push(tag);
    }
    // Some streams are too short.
    let mut cut = |n: usize| if random.percent(90) { n } else { random.below(n + 1) };
    let (n_data, n_transforms, n_styles) = (cut(n_data), cut(n_transforms), cut(n_styles));
    let data: Vec<u32> = (0..n_data).map(|_| numbers.coordinate(&mut random).to_bits()).collect();
    let transforms: Vec<[f32; 6]> = (0..n_transforms).map(|_| numbers.transform(&mut random)).collect();
    let styles: Vec<[u32; 2]> = (0..n_styles)
        .map(|_| {
            let flags = u32::try_from(random.bits() >> 32).expect("32 bits are left");
            let is_stroke = random.percent(50);
            [
                if is_stroke { flags | 1 << 31 } else { flags & !(1 << 31) },
                (numbers.coordinate(&mut random) / 32.0).to_bits(),
            ]
        })
        .collect();
    Packed::of_streams(&tags, &data, &transforms, &styles)
}

/// An encoding of `n_paths` fills and strokes.
pub fn random_encoding(n_paths: usize, seed: u64) -> Encoding {
    let (mut kinds, mut numbers) = (Random::new(seed), Random::new(!seed));
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    let mut number = || numbers.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
    let mut encoding = Encoding::new();
    for _ in 0..n_paths {
        let mut point = || Point::new(number() * 100.0, number() * 100.0);
        let mut path = BezPath::new();
        path.move_to(point());
        for _ in 0..kinds.below(10) {
            match kinds.below(8) {
                0 => path.move_to(point()),
                1 | 2 => path.line_to(point()),
                3 | 4 => path.quad_to(point(), point()),
                5 => {
                    path.close_path();
                    path.move_to(point());
                }
                _ => path.curve_to(point(), point(), point()),
            }
        }
        let matrix =
            if kinds.percent(50) { [1.0, 0.0, 0.0, 1.0] } else { [number(), number(), number(), number()] };
        let [a, b, c, d] = matrix;
        let transform = Affine::new([a, b, c, d, number() * 500.0, number() * 500.0]);
        encoding.encode_transform(Transform::from_kurbo(&transform));
        let is_stroke = kinds.percent(40);
        if is_stroke {
            let caps = [Cap::Butt, Cap::Square, Cap::Round];
            let style = Stroke::new(number().abs() * 20.0 + 0.01)
                .with_start_cap(caps[kinds.below(3)])
                .with_end_cap(caps[kinds.below(3)])
                .with_join([Join::Bevel, Join::Miter, Join::Round][kinds.below(3)])
                .with_miter_limit(1.0 + number().abs() * 10.0);
            assert!(encoding.encode_stroke_style(&style), "the line has a width");
        } else {
            encoding.encode_fill_style(peniko::Fill::NonZero);
        }
        if !encoding.encode_shape(&path, !is_stroke) {
            encoding.encode_empty_shape();
        }
        encoding.encode_color(peniko::Color::BLACK);
    }
    encoding
}

/// The boxes of a scene's paths on the device of this thread, and the rounded ones if requested, in
/// buffers that have contained another scene before.
///
/// # Panics
///
/// Panics if the device has no room for the scenes, or is lost.
pub fn gpu_path_boxes_after(
    context: &Context,
    before: &Packed,
    scene: &Packed,
    has_rounded_boxes: bool,
) -> (Vec<Aabb>, Vec<RoundedBox>) {
    gpu_path_boxes_in_rows(context, &[before, scene], has_rounded_boxes, None)
}

/// The boxes of the last scene, in buffers that have contained the others.
fn gpu_path_boxes_in_rows(
    context: &Context,
    scenes: &[&Packed],
    has_rounded_boxes: bool,
    row_tags: Option<u32>,
) -> (Vec<Aabb>, Vec<RoundedBox>) {
    let Gpu { device, queue, .. } = gpu();
    let sizes = scenes.iter().map(|scene| PathBuffersDescriptor::of(&scene.streams()));
    let size = sizes.reduce(|a, b| PathBuffersDescriptor {
        n_words: a.n_words.max(b.n_words),
        n_tag_words: a.n_tag_words.max(b.n_tag_words),
        n_paths: a.n_paths.max(b.n_paths),
        ..a
    });
    let size = PathBuffersDescriptor { has_rounded_boxes, ..size.expect("there is a scene") };
    let mut buffers = PathBuffers::new(context, &size).expect("the scene is within the limits");
    if let Some(row_tags) = row_tags {
        buffers.set_row_tags(row_tags);
    }
    for scene in scenes {
        buffers.upload(queue, &scene.streams()).expect("the scene is within the capacity");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
    }
    let n_paths = buffers.n_paths() as usize;
    let boxes = read_items(device, queue, buffers.path_boxes(), n_paths);
    let rounded = buffers.rounded_boxes().map(|b| read_items(device, queue, b, n_paths));
    (boxes, rounded.unwrap_or_default())
}

/// The same in new buffers.
///
/// # Panics
///
/// Panics if the device has no room for the scene, or is lost.
pub fn gpu_path_boxes(
    context: &Context,
    scene: &Packed,
    has_rounded_boxes: bool,
) -> (Vec<Aabb>, Vec<RoundedBox>) {
    gpu_path_boxes_in_rows(context, &[scene], has_rounded_boxes, None)
}

/// The first bit-wise difference between the boxes on the GPU and those of the twin.
pub fn path_boxes_difference(context: &Context, scene: &Packed, has_rounded_boxes: bool) -> Option<String> {
    path_boxes_difference_in_rows(context, scene, has_rounded_boxes, None)
}

/// The same with this number of path tags per row.
pub fn path_boxes_difference_in_rows(
    context: &Context,
    scene: &Packed,
    has_rounded_boxes: bool,
    row_tags: Option<u32>,
) -> Option<String> {
    let (boxes, rounded) = gpu_path_boxes_in_rows(context, &[scene], has_rounded_boxes, row_tags);
    let expected = twin::path_boxes(&scene.streams());
    crate::compare::differ("path_boxes", &expected, &boxes).or_else(|| {
        let expected = twin::rounded_boxes(&scene.streams());
        if has_rounded_boxes { crate::compare::differ("rounded_boxes", &expected, &rounded) } else { None }
    })
}
