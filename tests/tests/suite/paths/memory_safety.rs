//! No safe call makes a shader access memory outside of its buffers, whatever the scene contains.
//!
//! The shaders run without wgpu's runtime checks. Tags may ask for more than the streams contain,
//! end more paths than the layout has, and change between recording and submission.

use boxwood::paths::{PathBuffers, PathBuffersDescriptor, RoundedBox, StreamLayout};
use boxwood::{Aabb, Context};
use boxwood_cpu::paths::twin;
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Gpu, Numbers, Packed, Random, assert_all_caught, bounded_source, context, gpu, random_encoding,
    random_streams, read_items,
};

use super::parity::{IDENTITY, crowd, more_paths_than_announced};

/// A bit pattern that no shader writes: a NaN as a float, a negative number as an index.
const GUARD: u32 = 0xffc0_ffee;

/// Buffers of a scene. Those of the caller have no room to spare for the scene, and much for the
/// boxes.
struct Guarded {
    buffers: PathBuffers,
    n_spare: usize,
}

impl Guarded {
    fn new(context: &Context, size: &PathBuffersDescriptor<'_>, n_spare: usize) -> Self {
        let Gpu { device, queue, .. } = gpu();
        let create = |n_words: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 4 * n_words.max(2) as u64,
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_DST
                    | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        let n_guards = 4 * (size.n_paths + n_spare);
        let (scene, boxes) = (create(size.n_words), create(n_guards));
        queue.write_buffer(&boxes, 0, bytemuck::cast_slice(&vec![GUARD; n_guards]));
        let size = PathBuffersDescriptor {
            scene: Some(&scene),
            boxes: Some(&boxes),
            has_rounded_boxes: true,
            ..*size
        };
        let buffers = PathBuffers::new(context, &size).expect("the scene is within the limits");
        if let Some(rounded) = buffers.rounded_boxes() {
            let n_words = usize::try_from(rounded.size() / 4).expect("the buffers are small");
            queue.write_buffer(rounded, 0, bytemuck::cast_slice(&vec![GUARD; n_words]));
        }
        Self { buffers, n_spare: n_spare + size.n_paths }
    }

    /// Buffers with a scene, and other words after it.
    fn of(context: &Context, scene: &Packed, words_beyond: &[u32], n_spare: usize) -> Self {
        let size = PathBuffersDescriptor::of(&scene.streams());
        let n_words = size.n_words + words_beyond.len();
        let mut guarded = Self::new(context, &PathBuffersDescriptor { n_words, ..size }, n_spare);
        let words = [&scene.words, words_beyond].concat();
        gpu().queue.write_buffer(guarded.buffers.scene(), 0, bytemuck::cast_slice(&words));
        guarded.set_layout(&scene.layout, scene.words.len());
        guarded
    }

    fn set_layout(&mut self, layout: &StreamLayout, n_words: usize) {
        self.buffers.set_layout(&gpu().queue, layout, n_words).expect("the scene is within the capacity");
    }

    fn recorded(&self) -> wgpu::CommandBuffer {
        let mut encoder = gpu().device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.buffers.record(&mut encoder);
        encoder.finish()
    }

    fn submit(&self) {
        gpu().queue.submit([self.recorded()]);
    }

    /// The boxes, or the index of a box beyond the paths that a shader has changed.
    fn boxes(&self) -> Result<(Vec<[u32; 4]>, Vec<RoundedBox>), String> {
        let Gpu { device, queue, .. } = gpu();
        let n_paths = self.buffers.n_paths() as usize;
        let all: Vec<[u32; 4]> = read_items(device, queue, self.buffers.path_boxes(), self.n_spare);
        let (boxes, guards) = all.split_at(n_paths);
        if let Some(index) = guards.iter().position(|guard| *guard != [GUARD; 4]) {
            return Err(format!("path_boxes[{}] has changed, of {n_paths}", n_paths + index));
        }
        let rounded = self.buffers.rounded_boxes().expect("they are requested");
        let n_rounded =
            usize::try_from(rounded.size()).expect("the buffers are small") / size_of::<RoundedBox>();
        let all: Vec<RoundedBox> = read_items(device, queue, rounded, n_rounded);
        let (rounded, guards) = all.split_at(n_paths.min(n_rounded));
        let is_guard = |b: &RoundedBox| bytemuck::cast::<_, [u32; 6]>(*b) == [GUARD; 6];
        if let Some(index) = guards.iter().position(|guard| !is_guard(guard)) {
            return Err(format!("rounded_boxes[{}] has changed, of {n_paths}", n_paths + index));
        }
        Ok((boxes.to_vec(), rounded.to_vec()))
    }
}

/// A name, a scene, and the words after it in its buffer.
type Named = (String, Packed, Vec<u32>);

/// The scene with fewer paths, and with each stream cut to a part. The streams stay where they are.
fn with_short_tables(name: &str, scene: &Packed) -> Vec<Named> {
    let StreamLayout { n_paths, path_data_base, draw_tag_base, transform_base, style_base, .. } =
        scene.layout;
    let mut scenes = Vec::new();
    for part in [0, 1, 2] {
        let cut = |begin: u32, end: u32| begin + (end - begin) * part / 3;
        let fewer_paths = StreamLayout { n_paths: n_paths * part / 3, ..scene.layout };
        let less_data = cut(path_data_base, draw_tag_base);
        let less_data = StreamLayout { draw_tag_base: less_data, draw_data_base: less_data, ..scene.layout };
        let fewer_transforms =
            StreamLayout { transform_base: cut(transform_base, style_base), ..scene.layout };
        for layout in [fewer_paths, less_data, fewer_transforms] {
            scenes.push((
                format!("{name}, {part}/3: {layout:?}"),
                Packed { layout, ..scene.clone() },
                Vec::new(),
            ));
        }
        let mut fewer_styles = scene.clone();
        let n_words = cut(style_base, u32::try_from(scene.words.len()).expect("it is small"));
        let beyond = fewer_styles.words.split_off(n_words as usize);
        scenes.push((format!("{name}, {part}/3 of the styles"), fewer_styles, beyond));
    }
    scenes
}

/// Words of any value with a layout in order.
fn random_words(seed: u64) -> Packed {
    let mut random = Random::new(seed);
    let n_words = random.below(3000);
    let words: Vec<u32> =
        (0..n_words).map(|_| u32::try_from(random.bits() >> 32).expect("32 bits are left")).collect();
    let mut bases: Vec<u32> =
        (0..6).map(|_| u32::try_from(random.below(n_words + 1)).expect("it is small")).collect();
    bases.sort_unstable();
    let n_tags = 4 * (bases[1] - bases[0]);
    let layout = StreamLayout {
        n_paths: u32::try_from(random.below(n_tags as usize + 1)).expect("it is small"),
        path_tag_base: bases[0],
        path_data_base: bases[1],
        draw_tag_base: bases[2],
        draw_data_base: bases[3],
        transform_base: bases[4],
        style_base: bases[5],
        ..StreamLayout::default()
    };
    Packed { words, layout }
}

fn scenes() -> Vec<Named> {
    let mut scenes: Vec<Named> =
        (0..60).map(|seed| (format!("random words {seed}"), random_words(seed), Vec::new())).collect();
    for seed in 0..4 {
        let scene = random_streams(2500, Numbers::Any, seed);
        scenes.extend(with_short_tables(&format!("random tags {seed}"), &scene));
    }
    scenes.extend(with_short_tables("an encoding", &Packed::of(&random_encoding(300, 1))));
    scenes.extend(with_short_tables("a crowd", &crowd()));
    scenes.push(("more paths than announced".to_owned(), more_paths_than_announced(), Vec::new()));
    scenes
}

/// The first scene with other boxes than those of the twin, or with changes beyond them.
fn first_wrong(context: &Context) -> Option<String> {
    scenes().iter().find_map(|(name, scene, words_beyond)| {
        let guarded = Guarded::of(context, scene, words_beyond, 5000);
        guarded.submit();
        let expected: Vec<[u32; 4]> =
            twin::path_boxes(&scene.streams()).iter().map(|b| bytemuck::cast::<Aabb, _>(*b)).collect();
        match guarded.boxes() {
            Ok(found) if found == (expected, twin::rounded_boxes(&scene.streams())) => None,
            Ok(_) => Some(format!("{name}: wrong boxes")),
            Err(error) => Some(format!("{name}: {error}")),
        }
    })
}

#[test]
fn scenes_with_anything_in_them_have_the_boxes_of_the_twin_and_change_no_others() {
    assert_eq!(first_wrong(context()), None);
}

/// wgpu's checks would change a result that depends on an access outside of a buffer.
#[test]
fn runtime_checks_do_not_change_the_boxes() {
    let checked = Context::new(&gpu().device).with_changes(|shader| shader.source.to_owned());
    assert_eq!(first_wrong(&checked), None);
}

/// Computes a scene, records for a layout, and submits that for another layout: the first shaders
/// then process only a part of the scene, so that the others see the remains of the first one.
fn changed_by_stale_spans(context: &Context, style: [u32; 2]) -> Option<String> {
    const N: u32 = 1000;
    // Paths of 100 tags, one of which is a line.
    let mut path = [0; 100];
    (path[50], path[99]) = (9 | 4, 0x10);
    let mut tags = vec![0x20, 0x40];
    tags.extend(path.repeat(N as usize));
    let data: Vec<u32> =
        (0..4 * N).map(|i| f32::from(u16::try_from(i).expect("it is small")).to_bits()).collect();
    let scene = Packed::of_streams(&tags, &data, &[IDENTITY], &[style]);
    let mut guarded = Guarded::of(context, &scene, &[], 100_000);
    guarded.submit();
    let n_words = scene.words.len();
    // Many slots for spans, but tags in one partition only.
    let path_tag_base = scene.layout.path_data_base - 256;
    guarded.set_layout(&StreamLayout { path_tag_base, ..scene.layout }, n_words);
    let recorded = guarded.recorded();
    // The first submission has written boxes that the layout will not have.
    let queue = &gpu().queue;
    let guards = vec![GUARD; 4 * guarded.n_spare];
    queue.write_buffer(guarded.buffers.path_boxes(), 0, bytemuck::cast_slice(&guards));
    guarded.set_layout(&StreamLayout { n_paths: 10, ..scene.layout }, n_words);
    queue.submit([recorded]);
    guarded.boxes().err().filter(|error| error.starts_with("path_boxes"))
}

#[test]
fn a_layout_that_changes_before_submission_changes_no_other_boxes() {
    for style in [[0, 0], [1 << 31, 1.0_f32.to_bits()]] {
        assert_eq!(changed_by_stale_spans(context(), style), None);
    }
}

/// Each of these removes one clamp. Clamps of accesses to the stage's own buffers are not visible
/// here.
const FAULTS: &[Fault] = &[
    ("path_fill", "if span.path >= config.n_paths {", "if false {"),
    ("path_finish_rounded", "if path >= config.n_paths {", "if false {"),
    ("path_fill", "config.n_path_data - begin >= n_words", "true"),
    ("path_inside", "config.n_path_data - begin >= n_words", "true"),
    ("path_fill", "if transform < config.n_transforms && style", "if style"),
    ("path_stroke", "transform >= config.n_transforms || style", "style"),
    ("path_stroke", "|| style >= config.n_styles", ""),
    ("path_spans_rounded", "if at.w < config.n_paths {\n        spans", "if true {\n        spans"),
    ("path_spans_rounded", "if style < config.n_styles {", "if true {"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_missing_clamp_is_caught() {
    let checked = Context::new(&gpu().device).with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    let is_caught = |context: &Context, _: &str| {
        changed_by_stale_spans(context, [0, 0]).is_some() || first_wrong(context).is_some()
    };
    assert!(!is_caught(&checked, ""), "the shaders without a fault pass");
    assert_all_caught(FAULTS, compile, is_caught);
}
