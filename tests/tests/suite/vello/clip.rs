//! Boxwood's clip stage on Vello's buffers. It writes the same bits as Vello's CPU version, at any
//! length and depth.

use std::cell::RefCell;

use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood_tests::{Random, Shapes, context, gpu, record_vello_pass, vello_buffers};
use boxwood_vello::{ClipAlgorithm, PassKind, VelloPass};
use bytemuck::Pod;
use vello_encoding::{Clip, ConfigUniform, DrawMonoid, Layout, PathBbox};
use vello_shaders::cpu::CpuBinding;

/// The input of Vello's clip stage.
pub(crate) struct Input {
    pub(crate) config: ConfigUniform,
    pub(crate) clip_inp: Vec<Clip>,
    pub(crate) path_bboxes: Vec<PathBbox>,
    pub(crate) draw_monoids: Vec<DrawMonoid>,
}

/// The output of Vello's clip stage.
#[derive(Debug, PartialEq)]
pub(crate) struct Output {
    pub(crate) clip_bboxes: Vec<[u32; 4]>,
    pub(crate) draw_monoids: Vec<DrawMonoid>,
}

/// A balanced stream of `n` clip operations, true for a begin: a random walk of depths up to
/// `deepest`.
pub(crate) fn tree(n: usize, deepest: usize, random: &mut Random) -> Vec<bool> {
    let mut depth = 0;
    (0..n)
        .map(|i| {
            let must_end = depth == n - i;
            let is_begin = !must_end && (depth == 0 || (depth < deepest && random.percent(50)));
            depth = if is_begin { depth + 1 } else { depth - 1 };
            is_begin
        })
        .collect()
}

/// `depth` begins, then `n_pairs` pairs, then the ends.
pub(crate) fn nest(depth: usize, n_pairs: usize) -> Vec<bool> {
    let mut stream = vec![true; depth];
    stream.extend([true, false].repeat(n_pairs));
    stream.resize(2 * (depth + n_pairs), false);
    stream
}

impl Input {
    /// Draw objects as Vello's earlier stages leave them, with leaves between the clip operations.
    pub(crate) fn new(stream: &[bool], boxes: Shapes, random: &mut Random) -> Self {
        let count = |n: usize| u32::try_from(n).expect("the tests are small");
        let mut clip_inp = Vec::new();
        let (mut path_bboxes, mut draw_monoids) = (Vec::new(), Vec::new());
        let mut monoid = DrawMonoid::default();
        for &is_begin in stream {
            for _ in 0..random.below(4) {
                draw_monoids.push(monoid);
                // Draw objects that draw nothing have no path.
                if random.percent(30) {
                    continue;
                }
                path_bboxes.push(path_bbox(Shapes::Any, random));
                monoid.path_ix += 1;
                monoid.scene_offset += 1;
                monoid.info_offset += 1;
            }
            let ix = count(draw_monoids.len());
            let signed = |n: u32| i32::try_from(n).expect("the tests are small");
            clip_inp.push(Clip { ix, path_ix: if is_begin { signed(monoid.path_ix) } else { !signed(ix) } });
            draw_monoids.push(monoid);
            path_bboxes.push(path_bbox(boxes, random));
            monoid.path_ix += 1;
            monoid.clip_ix += 1;
            monoid.scene_offset += if is_begin { 2 } else { 0 };
            monoid.info_offset += u32::from(is_begin);
        }
        let mut config = ConfigUniform::default();
        config.layout.n_clips = count(stream.len());
        config.layout.n_draw_objects = count(draw_monoids.len());
        config.layout.n_paths = count(path_bboxes.len());
        Self { config, clip_inp, path_bboxes, draw_monoids }
    }

    /// The output of Vello's CPU version.
    pub(crate) fn expected(&self) -> Output {
        let cell = |bytes: &[u8]| RefCell::new(bytes.to_vec());
        let unused = cell(&[]);
        let draw_monoids = cell(bytemuck::cast_slice(&self.draw_monoids));
        let clip_bboxes = cell(&vec![0; 16 * self.clip_inp.len()]);
        let resources = [
            CpuBinding::Buffer(bytemuck::bytes_of(&self.config)),
            CpuBinding::Buffer(bytemuck::cast_slice(&self.clip_inp)),
            CpuBinding::Buffer(bytemuck::cast_slice(&self.path_bboxes)),
            CpuBinding::BufferRW(&unused),
            CpuBinding::BufferRW(&unused),
            CpuBinding::BufferRW(&draw_monoids),
            CpuBinding::BufferRW(&clip_bboxes),
        ];
        vello_shaders::cpu::clip_leaf(0, &resources);
        Output {
            clip_bboxes: bytemuck::pod_collect_to_vec(&clip_bboxes.into_inner()),
            draw_monoids: bytemuck::pod_collect_to_vec(&draw_monoids.into_inner()),
        }
    }

    /// The output of the pass.
    pub(super) fn found(&self, pass: &mut VelloPass) -> Output {
        let unwritten = vec![0xff; 16 * self.clip_inp.len()];
        let buffers = self.buffers(pass, &self.config.layout, &unwritten);
        Output {
            clip_bboxes: read(&buffers[4], self.clip_inp.len()),
            draw_monoids: read(&buffers[3], self.draw_monoids.len()),
        }
    }

    /// The buffers after the pass, with the initial clip boxes.
    fn buffers(&self, pass: &mut VelloPass, layout: &Layout, unwritten: &[u8]) -> Vec<wgpu::Buffer> {
        let buffers = vello_buffers(PassKind::Clip, |name| match name {
            "vello_config" => bytemuck::bytes_of(&self.config),
            "clip_inp" => bytemuck::cast_slice(&self.clip_inp),
            "path_bboxes" => bytemuck::cast_slice(&self.path_bboxes),
            "draw_monoids" => bytemuck::cast_slice(&self.draw_monoids),
            "clip_bboxes" => unwritten,
            _ => panic!("no test data for {name}"),
        });
        record_vello_pass(pass, layout, &buffers);
        buffers
    }
}

pub(super) fn clip_pass() -> VelloPass {
    VelloPass::new(context(), PassKind::Clip)
}

pub(crate) fn read<T: Pod>(buffer: &wgpu::Buffer, count: usize) -> Vec<T> {
    let Gpu { device, queue, .. } = gpu();
    read_items(device, queue, buffer, count).expect("the device answers")
}

fn path_bbox(boxes: Shapes, random: &mut Random) -> PathBbox {
    let mut number = || i32::try_from(random.below(4000)).expect("it is small") - 2000;
    let (x, y, w, h) = (number(), number(), number(), number());
    let (x0, y0) = (x.min(w), y.min(h));
    let (x1, y1) = (x.max(w), y.max(h));
    let out = if boxes == Shapes::Large { 3000 } else { 0 };
    let whole =
        PathBbox { x0: x0 - out, y0: y0 - out, x1: x1 + out, y1: y1 + out, draw_flags: 0, trans_ix: 0 };
    if boxes != Shapes::Odd {
        return whole;
    }
    match random.below(9) {
        // A path without lines.
        0 => PathBbox { x0: i32::MAX, y0: i32::MAX, x1: i32::MIN, y1: i32::MIN, ..whole },
        1 => PathBbox { x0: i32::MIN, y0: i32::MIN, x1: i32::MAX, y1: i32::MAX, ..whole },
        // Numbers that f32 rounds.
        2 => PathBbox { x0: -16_777_217, y0: 16_777_217, x1: 2_147_483_583, y1: 2_147_483_585, ..whole },
        3 => PathBbox { x0: 0, y0: -1, x1: 1, y1: 0, ..whole },
        4 => PathBbox { x0: x1, x1: x0, ..whole },
        5 => PathBbox { y1: y0, ..whole },
        _ => whole,
    }
}

#[track_caller]
fn check(name: &str, stream: &[bool], boxes: Shapes) {
    let input = Input::new(stream, boxes, &mut Random::new(stream.len() as u64));
    check_input(name, &input, &input.expected());
}

#[track_caller]
pub(super) fn check_input(name: &str, input: &Input, expected: &Output) {
    let mut pass = clip_pass();
    for algorithm in algorithms(input.clip_inp.len()) {
        pass.set_clip_algorithm(algorithm);
        let found = input.found(&mut pass);
        for (index, (a, b)) in expected.clip_bboxes.iter().zip(&found.clip_bboxes).enumerate() {
            let floats = |words: &[u32; 4]| words.map(f32::from_bits);
            let (expected, found) = (floats(a), floats(b));
            assert_eq!(
                a, b,
                "{name}, {algorithm:?}: clip box {index}: {expected:?} expected, {found:?} found"
            );
        }
        assert!(expected.draw_monoids == found.draw_monoids, "{name}, {algorithm:?}: the draw objects");
    }
}

/// The algorithms of the clip stage that can hold `n` operations, and the default.
pub(super) fn algorithms(n: usize) -> impl Iterator<Item = Option<ClipAlgorithm>> {
    let is_able = move |algorithm: &ClipAlgorithm| n as u64 <= algorithm.max_operations();
    ClipAlgorithm::ALL.into_iter().filter(is_able).map(Some).chain([None])
}

const BOXES: [Shapes; 3] = [Shapes::Large, Shapes::Any, Shapes::Odd];

#[test]
fn random_trees_of_any_length() {
    let sizes = [2, 4, 254, 256, 258, 1022, 1024, 1026, 65_790, 65_792, 65_794, 65_796, 200_000];
    for (index, n) in sizes.into_iter().enumerate() {
        for deepest in [40, usize::MAX] {
            let stream = tree(n, deepest, &mut Random::new(n as u64));
            check(&format!("{n} operations up to {deepest} deep"), &stream, BOXES[index % BOXES.len()]);
        }
    }
}

/// Without the last end the length is odd, and one begin stays open.
#[test]
fn trees_with_an_open_begin() {
    for n in [1, 255, 65_791, 65_793] {
        let mut random = Random::new(n as u64);
        let mut stream = tree(n + 1, 40, &mut random);
        stream.pop();
        check(&format!("{n} operations, one open"), &stream, Shapes::Odd);
    }
}

#[test]
fn nests_of_any_depth() {
    for depth in [255, 256, 257, 1000, 20_000] {
        for boxes in BOXES {
            check(&format!("{depth} deep"), &nest(depth, 400), boxes);
        }
    }
}

#[test]
fn an_end_without_a_begin_keeps_its_draw_object_and_gets_the_whole_plane() {
    let stream = [false, true, false, false, true, true, false];
    let input = Input::new(&stream, Shapes::Large, &mut Random::new(1));
    let found = input.found(&mut clip_pass());
    let root = [-1e9, -1e9, 1e9, 1e9].map(f32::to_bits);
    for index in [0, 2, 3] {
        assert_eq!(found.clip_bboxes[index], root, "end {index}");
    }
    for index in [0, 3] {
        let ix = input.clip_inp[index].ix as usize;
        assert_eq!(found.draw_monoids[ix], input.draw_monoids[ix], "end {index}");
    }
}

/// The number of operations in Vello's configuration is not trusted.
#[test]
fn operations_beyond_the_results_are_not_computed() {
    let (n, n_claimed) = (200, 300);
    let input = Input::new(&tree(n_claimed, 30, &mut Random::new(7)), Shapes::Any, &mut Random::new(7));
    let mut layout = input.config.layout;
    layout.n_clips = u32::try_from(n).expect("it is small");
    let expected = input.expected();
    for algorithm in algorithms(n) {
        let mut pass = clip_pass();
        pass.set_clip_algorithm(algorithm);
        let unwritten = vec![0xff; 16 * n];
        let found: Vec<[u32; 4]> = read(&input.buffers(&mut pass, &layout, &unwritten)[4], n);
        assert_eq!(found, expected.clip_bboxes[..n], "{algorithm:?}");
    }
}

#[test]
#[should_panic(expected = "no room")]
fn a_buffer_that_is_too_small_is_refused() {
    let input = Input::new(&nest(5, 5), Shapes::Any, &mut Random::new(1));
    let mut layout = input.config.layout;
    layout.n_clips += 1;
    let buffers = vello_buffers(PassKind::Clip, |_| bytemuck::cast_slice(&input.clip_inp));
    record_vello_pass(&mut clip_pass(), &layout, &buffers);
}

#[test]
fn structs_of_the_shaders_have_the_layouts_of_vello_encoding() {
    let sizes = [
        ("VelloConfig", size_of::<ConfigUniform>()),
        ("ClipInp", size_of::<Clip>()),
        ("RoundedBox", size_of::<PathBbox>()),
        ("DrawMonoid", size_of::<DrawMonoid>()),
    ];
    let offset = |name: &str| match name {
        "n_drawobj" => std::mem::offset_of!(ConfigUniform, layout.n_draw_objects),
        "n_clip" => std::mem::offset_of!(ConfigUniform, layout.n_clips),
        "drawtag_base" => std::mem::offset_of!(ConfigUniform, layout.draw_tag_base),
        "drawdata_base" => std::mem::offset_of!(ConfigUniform, layout.draw_data_base),
        _ => usize::MAX,
    };
    let mut n_fields = 0;
    for shader in [&*boxwood_shaders::vello::VELLO_CLIP_GATHER, &boxwood_shaders::vello::VELLO_CLIP_RESOLVE] {
        let module = naga::front::wgsl::parse_str(shader.source).expect("the build validates it");
        for (_, ty) in module.types.iter() {
            let naga::TypeInner::Struct { members, span } = &ty.inner else { continue };
            let name = ty.name.as_deref().unwrap_or_default();
            if let Some((_, size)) = sizes.iter().find(|(n, _)| *n == name) {
                assert_eq!(*span as usize, *size, "{name}");
            }
            for member in members.iter().filter(|_| name == "VelloConfig") {
                let expected = offset(member.name.as_deref().unwrap_or_default());
                if expected != usize::MAX {
                    assert_eq!(member.offset as usize, expected, "{:?}", member.name);
                    n_fields += 1;
                }
            }
        }
    }
    assert_eq!(n_fields, 8, "four fields in each of two shaders");
}
