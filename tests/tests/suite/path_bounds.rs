//! The boxes of paths on the GPU equal their specification, bit for bit.

use boxwood::path_bounds::{PathBounds, PathBoundsError, PathBuffers, PathBuffersDescriptor, RoundedBoxes};
use boxwood::{Aabb, Buffers, Elements, PathBbox, StreamLayout};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Numbers, Packed, assert_all_caught, assert_same, gpu, gpu_path_bounds, gpu_path_bounds_after,
    path_bounds, path_bounds_difference, pipelines, random_encoding, random_streams,
};

/// Tags of a partition: 256 words of 4.
const P: usize = 1024;

#[track_caller]
fn check(name: impl std::fmt::Debug, scene: &Packed) {
    for has_bboxes in [false, true] {
        if let Some(difference) = path_bounds_difference(path_bounds(), scene, has_bboxes) {
            panic!("{name:?}: {difference}");
        }
    }
}

#[test]
fn encodings_of_every_kind() {
    for (seed, n_paths) in (0_u64..).zip([0, 1, 2, 3, 10, 100, 300, 1000, 3000]) {
        check(n_paths, &Packed::of(&random_encoding(n_paths, seed)));
    }
}

/// Tags in any order, with streams that end too early, around every border of the partitions.
#[test]
fn streams_as_no_encoder_writes_them() {
    let sizes = [0, 1, 2, 3, 4, 5, P - 3, P - 2, P - 1, P, 2 * P - 2, 2 * P, 3 * P + 1, 20 * P];
    for (seed, n_tags) in (0_u64..).zip(sizes) {
        for numbers in [Numbers::Moderate, Numbers::Any] {
            check((n_tags, numbers), &random_streams(n_tags, numbers, seed));
        }
    }
    for seed in 100..200 {
        check(seed, &random_streams(500, Numbers::Any, seed));
    }
}

const IDENTITY: [f32; 6] = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// A zigzag of `n` lines.
fn zigzag(n: u16) -> Vec<u32> {
    let points = (0..=n).map(|i| [f32::from(i) * 0.5 - 1000.0, f32::from(i % 7)]);
    points.flatten().map(f32::to_bits).collect()
}

#[test]
fn one_path_of_many_segments() {
    for style in [[0, 0], [0x9000_4400, 2.0_f32.to_bits()]] {
        let mut tags = vec![0x20, 0x40];
        tags.extend(std::iter::repeat_n(9, 60_000));
        tags.push(0x10);
        let scene = Packed::of_streams(&tags, &zigzag(60_000), &[IDENTITY], &[style]);
        check(style, &scene);
        let found = gpu_path_bounds(path_bounds(), &scene, false).0;
        assert!(found[0].x0 <= -1000.0 && found[0].x1 >= 29_000.0, "{found:?}");
    }
}

/// As many paths in a partition as there can be: more than a workgroup has slots for.
#[test]
fn many_paths() {
    check("a line each", &crowd());
    let mut tags = vec![0x20, 0x40];
    tags.extend([0x10].repeat(100_000));
    check("nothing each", &Packed::of_streams(&tags, &[], &[IDENTITY], &[[0, 0]]));
}

/// Buffers take one scene after the other, and what is left of one is not seen in the next.
#[test]
fn buffers_take_one_scene_after_the_other() {
    let before = random_streams(5 * P, Numbers::Moderate, 1);
    for seed in 2..6 {
        let mut scene = random_streams(3 * P, Numbers::Any, seed);
        scene.layout.n_paths += 3;
        let (boxes, bboxes) = gpu_path_bounds_after(path_bounds(), &before, &scene, true);
        let same = |a: &[u8], b: &[u8]| a == b;
        let expected = boxwood_cpu::path_bounds(&scene.streams());
        assert!(same(bytemuck::cast_slice(&boxes), bytemuck::cast_slice(&expected)), "seed {seed}");
        assert_eq!(bboxes, boxwood_cpu::path_bboxes(&scene.streams()), "seed {seed}");
    }
}

/// The same scene gives the same bits each time: a race would not.
#[test]
fn repeated_runs_agree() {
    let scene = Packed::of(&random_encoding(2000, 7));
    let expected = gpu_path_bounds(path_bounds(), &scene, true);
    for _ in 0..50 {
        assert!(gpu_path_bounds(path_bounds(), &scene, true) == expected);
    }
}

#[test]
fn scenes_too_large_are_refused_with_the_limit() {
    let device = &gpu().device;
    let refused = |size: &PathBuffersDescriptor<'_>| {
        PathBuffers::new(device, path_bounds(), size).expect_err("it is too large")
    };
    let empty = Packed::of_streams(&[], &[], &[], &[]);
    let size = PathBuffersDescriptor::of(&empty.streams());
    let limits = device.limits();
    let binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let n_words = usize::try_from(binding / 4 + 1).expect("a machine with a device has such numbers");
    let error = refused(&PathBuffersDescriptor { n_words, ..size });
    assert_eq!(error, PathBoundsError::Words { need: binding / 4 + 1, limit: binding / 4 });
    assert!(error.to_string().contains(&(binding / 4).to_string()), "the message names the limit: {error}");
    let n_paths = usize::try_from(binding / 24 + 1).expect("likewise");
    let error = refused(&PathBuffersDescriptor { n_paths, has_bboxes: true, ..size });
    assert_eq!(error, PathBoundsError::Paths { need: binding / 24 + 1, limit: binding / 24 });

    let scene = random_streams(2000, Numbers::Moderate, 1);
    let mut buffers = PathBuffers::new(device, path_bounds(), &PathBuffersDescriptor::of(&scene.streams()))
        .expect("it is small");
    let larger = random_streams(20_000, Numbers::Moderate, 1);
    let need = larger.words.len() as u64;
    let refused = buffers.upload(&gpu().queue, &larger.streams());
    assert_eq!(refused, Err(PathBoundsError::Words { need, limit: scene.words.len() as u64 }));
    let layout = StreamLayout { n_paths: scene.layout.n_paths + 1, ..scene.layout };
    let refused = buffers.set_layout(&gpu().queue, &layout, scene.words.len());
    assert!(matches!(refused, Err(PathBoundsError::Paths { .. })), "{refused:?}");
    let layout = StreamLayout { style_base: u32::MAX, ..scene.layout };
    let refused = buffers.set_layout(&gpu().queue, &layout, scene.words.len());
    assert!(matches!(refused, Err(PathBoundsError::Streams(_))), "{refused:?}");
    assert_eq!(buffers.n_paths(), 0, "it keeps the scene that it had");
}

/// From the packed scene to the clipped boxes in one encoder, with nothing read back between.
#[test]
fn boxes_go_straight_to_the_stage() {
    let mut encoding = random_encoding(400, 3);
    let mut clipped = vello_encoding::Encoding::new();
    clipped.encode_transform(vello_encoding::Transform::IDENTITY);
    clipped.encode_fill_style(peniko::Fill::NonZero);
    clipped.encode_shape(&kurbo::Circle::new((0.0, 0.0), 200.0), true);
    clipped.encode_begin_clip(vello_encoding::DrawBeginClip::clip());
    clipped.append(&encoding, &None);
    clipped.encode_end_clip();
    std::mem::swap(&mut encoding, &mut clipped);
    let scene = Packed::of(&encoding);
    let streams = scene.streams();
    let tags = streams.draw_tags();
    let boxwood::Gpu { device, queue, .. } = gpu();

    let n_nodes = scene.layout.n_clips as usize;
    let mut buffers = Buffers::with_capacity(device, pipelines(), tags.len(), n_nodes).expect("it is small");
    buffers.upload_tags(queue, tags).expect("the buffers are as large");
    let size = PathBuffersDescriptor {
        boxes: Some(buffers.element_boxes()),
        has_bboxes: true,
        ..PathBuffersDescriptor::of(&streams)
    };
    let mut paths = PathBuffers::new(device, path_bounds(), &size).expect("it is small");
    paths.upload(queue, &streams).expect("the buffers are as large");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    path_bounds().record(&mut encoder, &paths);
    pipelines().record(&mut encoder, &buffers);
    queue.submit([encoder.finish()]);
    let found = boxwood::read_back(device, queue, &buffers).expect("the device answers");
    let of_paths = Elements::new(tags.to_vec(), boxwood_cpu::path_bounds(&streams)).expect("plain values");
    assert_same("boxes of paths", &boxwood_cpu::boxes(&of_paths), &found);
    assert!(
        found.clipped_boxes.iter().any(|b| b.is_empty()) && found.clipped_boxes.iter().any(|b| !b.is_empty())
    );

    // The same from boxes in whole pixels, as a renderer has them.
    let bboxes = paths.path_bboxes().expect("they were asked for");
    let rounded =
        RoundedBoxes::new(device, queue, path_bounds(), bboxes, buffers.element_boxes(), paths.n_paths())
            .expect("the buffers are as long");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    path_bounds().record_rounded(&mut encoder, &rounded);
    pipelines().record(&mut encoder, &buffers);
    queue.submit([encoder.finish()]);
    let found = boxwood::read_back(device, queue, &buffers).expect("the device answers");
    let boxes = boxwood_cpu::path_bboxes(&streams).iter().map(unrounded).collect();
    let of_pixels = Elements::new(tags.to_vec(), boxes).expect("plain values");
    assert_same("boxes in pixels", &boxwood_cpu::boxes(&of_pixels), &found);
}

fn unrounded(b: &PathBbox) -> Aabb {
    let edges = [b.x0, b.y0, b.x1, b.y1].map(f64::from);
    Aabb::new(edges[0], edges[1], edges[2], edges[3]).expect("integers are numbers")
}

#[test]
fn boxes_in_pixels_of_any_size_become_boxes() {
    assert!(!unrounding_differs(path_bounds()));
}

/// Whether the boxes that are made of rounded ones are others than they should be.
fn unrounding_differs(path_bounds: &PathBounds) -> bool {
    let boxwood::Gpu { device, queue, .. } = gpu();
    let numbers = [
        i32::MIN,
        i32::MIN + 1,
        -2_000_000_001,
        -(1 << 24) - 1,
        -(1 << 24),
        -255,
        -1,
        0,
        1,
        3,
        (1 << 24) - 1,
        1 << 24,
        (1 << 24) + 1,
        (1 << 25) + 3,
        2_000_000_001,
        i32::MAX - 1,
        i32::MAX,
    ];
    let pairs = || numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b)));
    let bboxes: Vec<PathBbox> = pairs()
        .zip(pairs().skip(1).step_by(2).cycle())
        .map(|((x0, x1), (y0, y1))| PathBbox { x0, y0, x1, y1, draw_flags: 0, trans_ix: 0 })
        .collect();
    let buffer = |size: usize| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    };
    let (of_renderer, boxes) = (buffer(24 * bboxes.len()), buffer(16 * bboxes.len()));
    queue.write_buffer(&of_renderer, 0, bytemuck::cast_slice(&bboxes));
    let n = u32::try_from(bboxes.len()).expect("there are few");
    let error =
        RoundedBoxes::new(device, queue, path_bounds, &of_renderer, &boxes, n + 1).expect_err("too many");
    assert_eq!(error, PathBoundsError::Paths { need: u64::from(n) + 1, limit: n.into() });
    let rounded =
        RoundedBoxes::new(device, queue, path_bounds, &of_renderer, &boxes, n).expect("they are as long");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    path_bounds.record_rounded(&mut encoder, &rounded);
    queue.submit([encoder.finish()]);
    let found: Vec<Aabb> =
        boxwood::read_items(device, queue, &boxes, bboxes.len()).expect("the device answers");
    bboxes.iter().zip(found).any(|(bbox, found)| found != unrounded(bbox))
}

/// Every shader as it is but for what is replaced, wherever it stands.
fn with_replacements(replacements: &[(&str, &str)]) -> PathBounds {
    PathBounds::with_sources(&gpu().device, |shader| {
        replacements.iter().fold(shader.source.to_owned(), |source, (from, to)| source.replace(from, to))
    })
}

/// A compiler may fuse a product into a sum. Where the shaders do not forbid it, the product is exact.
#[test]
fn fused_products_change_nothing() {
    let scene = Packed::of(&random_encoding(3000, 5));
    let (from, to) = (
        "((a1 * x2 + a2 * x1) + a2 * x2) + ((c1 * y2 + c2 * y1) + c2 * y2)",
        "fma(a2, x2, fma(a1, x2, a2 * x1)) + fma(c2, y2, fma(c1, y2, c2 * y1))",
    );
    let sums = ("rounded2(a + b)", "rounded2(fma(a, vec2(1.0), b))");
    assert_eq!(path_bounds_difference(&with_replacements(&[(from, to), sums]), &scene, true), None);
}

const FAULTS: &[Fault] = &[
    ("path_bounds_reduce", "path_keys[path] = NO_INK", ""),
    ("path_bounds_reduce", "path += n_workgroups * WORKGROUP_SIZE", "path = config.n_paths"),
    ("path_bounds_reduce", "index < config.n_tag_words", "index + 1u < config.n_tag_words"),
    ("path_bounds_reduce", "stride > 0u", "stride > 1u"),
    ("path_bounds_reduce", "* 15u", "* 3u"),
    ("path_bounds_scan", "counts_before += counts", "counts_before = counts"),
    ("path_bounds_scan", "sum - run_sum", "sum"),
    ("path_bounds_scan", "partition_counts[config.n_partitions] = sum", ""),
    ("path_bounds_fill", "var at = before + (sum - own)", "var at = before + sum"),
    ("path_bounds_fill", "let transform = at.x - 1u", "let transform = at.x - min(at.x, 2u)"),
    ("path_bounds_fill", "(flags & STYLE_STROKE) != 0u", "false"),
    ("path_bounds_fill", "let style = at.y - 1u", "let style = 0u"),
    ("path_bounds_fill", "if transform >= config.n_transforms || style", "if style"),
    ("path_bounds_fill", "<< ((tag >> 3u) & 1u)", ""),
    ("path_bounds_fill", "(halves << 16u) >> 16u", "halves & 0xffff"),
    ("path_bounds_fill", "config.n_path_data - begin < n_words", "false"),
    ("path_bounds_fill", "segment.greatest >= INFINITY", "false"),
    ("path_bounds_fill", "map.is_huge {", "false {"),
    ("path_bounds_fill", "!map.is_finite {", "false {"),
    ("path_bounds_fill", "is_inexact |= second.is_inexact", ""),
    ("path_bounds_fill", "+ (linear.rest + low)", "+ linear.rest"),
    ("path_bounds_fill", "moved.rest + ", ""),
    ("path_bounds_fill", "+ a2 * x2", ""),
    ("path_bounds_fill", "& vec2(0xfffff000u)", "& vec2(0xffff0000u)"),
    ("path_bounds_fill", "return select(x, vec2(0.0), abs(x) < vec2(least))", "return x"),
    ("path_bounds_fill", "high = above(high)", ""),
    ("path_bounds_fill", "select(bits + 1u, bits - 1u, (bits >> 31u) != 0u)", "bits + 1u"),
    ("path_bounds_fill", "if greatest > high {", "if false {"),
    ("path_bounds_fill", "if least < low {", "if false {"),
    ("path_bounds_fill", "const SLACK = 24", "const SLACK = 0"),
    ("path_bounds_fill", "const MAX_HALVINGS = 14u", "const MAX_HALVINGS = 3u"),
    ("path_bounds_fill", "twice.y > twice.x", "twice.y < twice.x"),
    ("path_bounds_fill", "sides.y > sides.x", "sides.y < sides.x"),
    ("path_bounds_fill", "let key = vec4(", "let key = NO_INK + 0 * vec4("),
    ("path_bounds_fill", "slot >= N_SLOTS", "false"),
    ("path_bounds_fill", "join_globally(path, key);\n        return;", "return;"),
    (
        "path_bounds_fill",
        "join_in_workgroup(at.w, at.w - first_path, box);\n    workgroupBarrier",
        "workgroupBarrier",
    ),
    ("path_bounds_fill", "atomicMax(&path_keys[4u * path + 3u], key.w)", ""),
    ("path_bounds_fill", "bits ^ vec4(0x7fffffff)", "bits"),
    ("path_bounds_fill_rounded", "(flags & STYLE_EVEN_ODD) >> 30u", "0u"),
    ("path_bounds_fill_rounded", "at.x - 1u);", "at.x);"),
    ("path_bounds_stroke", "(flags & STYLE_STROKE) == 0u", "false"),
    ("path_bounds_stroke", "is_end && is_line", "false"),
    ("path_bounds_stroke", "(next_tag & TAG_SUBPATH_END) != 0u && ", "false && "),
    ("path_bounds_stroke", "greatest = max(greatest, next.greatest)", ""),
    ("path_bounds_stroke", "word = (word >> 8u) | (next_word << 24u)", "word = word >> 8u"),
    ("path_bounds_stroke", "0.5 * abs(scaled", "abs(scaled"),
    ("path_bounds_stroke", "pen, -direction,", "pen, direction,"),
    ("path_bounds_stroke", "(flags >> 26u) & 3u", "(flags >> 24u) & 3u"),
    ("path_bounds_stroke", "if kind == JOIN_ROUND", "if false"),
    ("path_bounds_stroke", "if kind == JOIN_MITER", "if false"),
    ("path_bounds_stroke", "vec2(length_of(vec2(x_axis.x, y_axis.x))", "vec2(length_of(x_axis)"),
    ("path_bounds_stroke", "(before >= vec2(0.0)) & (after <= vec2(0.0))", "before >= vec2(0.0)"),
    ("path_bounds_stroke", "select(of_piece.extent, pen.reach, turns)", "of_piece.extent"),
    ("path_bounds_stroke", "if size == 1u || ", "if "),
    ("path_bounds_stroke", "size = 1u << countTrailingZeros(at)", ""),
    ("path_bounds_stroke", "const TOLERANCE = 0.25", "const TOLERANCE = 0.5"),
    ("path_bounds_stroke", "biased + 112u", "biased + 111u"),
    ("path_bounds_stroke", "min(at_most, limit)", "at_most"),
    ("path_bounds_stroke", "if sine <= 2.0 * SINE_ERROR", "if sine <= 0.0"),
    ("path_bounds_stroke", "(further - across)", "(further + across)"),
    ("path_bounds_stroke", "return product(y, 1.5 - product(half, product(y, y)))", "return y"),
    ("path_bounds_stroke", "let is_flat = bounds.xy == bounds.zw", "let is_flat = vec2(false)"),
    ("path_bounds_stroke", "if any(abs(b) > vec2(close))", "if false"),
    ("path_bounds_finish", "canonical(edges)", "edges"),
    ("path_bounds_finish", "key < vec4(0)", "key > vec4(0)"),
    ("path_bounds_finish_rounded", "edges.z > edges.x || edges.w > edges.y", "edges.z > edges.x"),
    ("path_bounds_finish_rounded", "ceil(edges.zw)", "floor(edges.zw)"),
    ("path_bounds_finish_rounded", "v >= vec2(0x1p31f)", "vec2(false)"),
    ("path_bounds_finish_rounded", "path < partition_counts[config.n_partitions].w", "true"),
    ("path_bounds_unround", "bbox.y0 >= bbox.y1", "false"),
    ("path_bounds_unround", "<< dropped", "<< 0u"),
    ("path_bounds_unround", "v >> dropped", "v"),
];

#[test]
fn every_shader_has_a_fault_in_the_list() {
    for shader in PathBounds::shaders() {
        assert!(FAULTS.iter().any(|fault| fault.0 == shader.name), "{} is never broken", shader.name);
    }
}

#[test]
fn every_fault_is_caught() {
    let mut scenes: Vec<Packed> = (0..60).map(|seed| random_streams(1500, Numbers::Any, seed)).collect();
    scenes.push(Packed::of(&random_encoding(3000, 1)));
    scenes.push(random_streams(70 * P, Numbers::Moderate, 2));
    // So many partitions that each invocation of the scan has several.
    scenes.push(Packed::of_streams(&[0x10].repeat(600 * P), &[], &[], &[]));
    scenes.push(Packed::of_streams(&[0x10].repeat(2000), &[], &[], &[]));
    scenes.push(crowd());
    scenes.push(hairpins());
    // More paths than tags, after a scene that has them all.
    let before = random_streams(3 * P, Numbers::Moderate, 3);
    let mut after = Packed::of_streams(&[0x20, 0x40, 9, 0x10], &zigzag(1), &[IDENTITY], &[[0, 0]]);
    after.layout.n_paths = before.layout.n_paths;
    let of_after = (boxwood_cpu::path_bounds(&after.streams()), boxwood_cpu::path_bboxes(&after.streams()));
    let expected: Vec<_> = scenes
        .iter()
        .map(|scene| (boxwood_cpu::path_bounds(&scene.streams()), boxwood_cpu::path_bboxes(&scene.streams())))
        .collect();
    let is_caught = |path_bounds: &PathBounds| {
        gpu_path_bounds_after(path_bounds, &before, &after, true) != of_after
            || unrounding_differs(path_bounds)
            || scenes.iter().zip(&expected).any(|(scene, expected)| {
                let (boxes, bboxes) = gpu_path_bounds(path_bounds, scene, true);
                let bits = |boxes: &[Aabb]| bytemuck::cast_slice::<_, u32>(boxes).to_vec();
                bits(&boxes) != bits(&expected.0)
                    || bboxes != expected.1
                    || bits(&gpu_path_bounds(path_bounds, scene, false).0) != bits(&expected.0)
            })
    };
    assert!(!is_caught(path_bounds()), "the shaders as they are pass");
    let compile = |source: &dyn Fn(&Shader) -> String| PathBounds::with_sources(&gpu().device, source);
    assert_all_caught(FAULTS, compile, |broken, _| is_caught(broken));
}

/// More paths in a partition than a workgroup has slots for.
fn crowd() -> Packed {
    let mut tags = vec![0x20, 0x40];
    tags.extend([9 | 4 | 0x10].repeat(100_000));
    let line = |i: u16| [0.5, 0.0, 1.0, 1.0].map(|v| (v + f32::from(i)).to_bits());
    let data: Vec<u32> = (0..50_000).chain(0..50_000).flat_map(line).collect();
    Packed::of_streams(&tags, &data, &[IDENTITY], &[[0, 0]])
}

/// Strokes that turn around, by angles down to nothing, with joins of each kind.
fn hairpins() -> Packed {
    let (mut tags, mut data, mut styles) = (vec![0x20], Vec::new(), Vec::new());
    for join in [0_u32, 1, 2] {
        for limit in [0x4400, 0x7bff, 0x7c00] {
            for angle in [0.0, 1e-7, 1e-6, 1e-5, 3.07e-5, 3.08e-5, 3.09e-5, 1e-3, 0.1, 1.0_f32] {
                for side in [-1.0, 1.0] {
                    tags.extend([0x40, 9, 9, 0xe, 0x10]);
                    styles.push([1 << 31 | join << 28 | limit, 3.0_f32.to_bits()]);
                    let points =
                        [[0.0, 0.0], [100.0, 10.0], [0.0, side * angle * 100.0], [0.0, 0.0], [50.0, 5.0]];
                    data.extend(points.into_iter().flatten().map(f32::to_bits));
                }
            }
        }
    }
    // Curves whose control points are one point, or nearly, where they start and end.
    for near in [0.0, 1e-9, 1e-3] {
        tags.extend([0x40, 0xb, 9, 0xe, 0x10]);
        styles.push([1 << 31 | 1 << 28 | 1 << 26 | 1 << 24 | 0x4400, 20.0_f32.to_bits()]);
        let points = [
            [1.0, 1.0],
            [1.0, 1.0 + near],
            [60.0, 90.0],
            [50.0, -10.0],
            [50.0, -10.0 - near],
            [1.0, 1.0],
            [60.0, 90.0],
        ];
        data.extend(points.into_iter().flatten().map(f32::to_bits));
        tags.extend([0xb, 0xe, 0x10]);
        let points = [[0.0, 0.0], [90.0, 60.0], [10.0, 50.0], [10.0, 50.0 + near], [0.0, 0.0], [90.0, 60.0]];
        data.extend(points.into_iter().flatten().map(f32::to_bits));
    }
    Packed::of_streams(&tags, &data, &[IDENTITY], &styles)
}

#[test]
fn a_device_without_extras_has_room() {
    for shader in PathBounds::shaders() {
        assert_eq!(shader.workgroup_size, [256, 1, 1], "{}", shader.name);
    }
}
