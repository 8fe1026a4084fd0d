//! The boxes of paths on the GPU equal their specification, bit for bit.

use boxwood::Aabb;
use boxwood::paths::{PathBbox, PathConfig, StreamLayout};
use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathPipelines, PathsError, RoundedBoxes};
use boxwood_tests::{
    Numbers, Packed, Random, gpu, gpu_path_bounds, gpu_path_bounds_after, path_bounds,
    path_bounds_difference, random_encoding, random_streams,
};
use vello_encoding::{
    Encoding, FontEmbolden, Glyph, GlyphRun, Patch, PathTag, StreamOffsets, Style, Transform,
};

/// Tags of a partition: 256 words of 4.
pub(crate) const P: usize = 1024;

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
    check("an edge at 0", &edge_at_zero());
}

/// Numbers of 24 significant bits, whose products round, and whose sums a compiler must take in their order.
#[test]
fn numbers_of_all_bits_are_transformed_as_specified() {
    let mut random = Random::new(7);
    let mut number = |least_exponent: u32| {
        let exponent = least_exponent + u32::try_from(random.below(6)).expect("it is small");
        let sign = u32::try_from(random.below(2)).expect("it is small") << 31;
        sign | exponent << 23 | u32::try_from(random.below(1 << 23)).expect("it has 23 bits")
    };
    const N: usize = 50_000;
    for (marker, style) in [(4, [0, 0]), (0, [1 << 31 | 1 << 28 | 0x4400, 3.0_f32.to_bits()])] {
        let (mut tags, mut data, mut transforms) = (vec![0x40], Vec::new(), Vec::new());
        for _ in 0..N {
            tags.extend([0x20, 9, 9 | marker, 0x10]);
            transforms.push([125, 125, 125, 125, 129, 129].map(|k| f32::from_bits(number(k))));
            data.extend((0..6).map(|_| number(129)));
        }
        check("all bits", &Packed::of_streams(&tags, &data, &transforms, &[style]));
    }
}

/// A curve whose bound is 0, which is -0.0 where a compiler takes 0 - x for -x.
pub(crate) fn edge_at_zero() -> Packed {
    // Halfway it is at 40 of 2^27 parts.
    let points = [[0.0, 1.0], [1.0, 10.0 / 16_777_216.0 - 1.0], [2.0, 1.0_f32]];
    let data: Vec<u32> = points.into_iter().flatten().map(f32::to_bits).collect();
    Packed::of_streams(&[0x20, 0x40, 0xa, 0x10], &data, &[IDENTITY], &[[0, 0]])
}

pub(crate) const IDENTITY: [f32; 6] = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// A zigzag of `n` lines.
pub(crate) fn zigzag(n: u32) -> Vec<u32> {
    let small = |v: u32| f32::from(u16::try_from(v).expect("it is small"));
    let points = (0..=n).map(|i| [small(i / 2) - 1000.0, small(i % 7)]);
    points.flatten().map(f32::to_bits).collect()
}

#[test]
fn one_path_of_many_segments() {
    for style in [[0, 0], [0x9000_4400, 2.0_f32.to_bits()]] {
        let mut tags = vec![0x20, 0x40];
        tags.extend(std::iter::repeat_n(9, 100_000));
        tags.push(0x10);
        let scene = Packed::of_streams(&tags, &zigzag(100_000), &[IDENTITY], &[style]);
        check(style, &scene);
        let found = gpu_path_bounds(path_bounds(), &scene, false).0;
        assert!(found[0].x0 <= -1000.0 && found[0].x1 >= 49_000.0, "{found:?}");
    }
}

/// The boxes of a scene on a device with these limits.
fn check_within(required_limits: wgpu::Limits, scenes: &[Packed]) {
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) =
        pollster::block_on(gpu().adapter.request_device(&descriptor)).expect("less is within every limit");
    let path_bounds = PathPipelines::new(&device);
    for scene in scenes {
        let size = PathBuffersDescriptor::of(&scene.streams());
        let mut buffers = PathBuffers::new(&device, &path_bounds, &size).expect("it is small");
        buffers.upload(&queue, &scene.streams()).expect("the buffers are as large");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
        let n_paths = buffers.n_paths() as usize;
        let found: Vec<Aabb> =
            boxwood::read_items(&device, &queue, buffers.path_boxes(), n_paths).expect("the device answers");
        assert_eq!(found, boxwood_cpu::paths::path_boxes(&scene.streams()), "of {n_paths} paths");
    }
}

/// Where a dimension has room for few workgroups, they stand in rows, the last of which is not full.
#[test]
fn large_scenes_are_dispatched_in_rows() {
    let limits = wgpu::Limits { max_compute_workgroups_per_dimension: 9, ..wgpu::Limits::default() };
    let scenes = [7, 8, 15, 40].map(|n| random_streams(n * P - 10, Numbers::Moderate, 1));
    assert!(scenes[3].layout.n_paths > 9 * 256, "paths are in rows too: {}", scenes[3].layout.n_paths);
    check_within(limits, &scenes);
}

#[test]
fn lists_are_no_longer_than_a_buffer_may_be() {
    // As much as the words and the paths take.
    let limits = wgpu::Limits {
        max_buffer_size: 2_000_000,
        max_storage_buffer_binding_size: 2_000_000,
        ..wgpu::Limits::default()
    };
    check_within(limits, &[crowd()]);
}

/// A path of several rows, and then more than the layout says.
pub(crate) fn more_paths_than_said() -> Packed {
    let mut tags = vec![0x20, 0x40];
    tags.extend([9].repeat(100));
    tags.push(0x10);
    tags.extend([9, 0x10].repeat(60));
    let mut scene = Packed::of_streams(&tags, &zigzag(160), &[IDENTITY], &[[0, 0]]);
    scene.layout.n_paths = 1;
    scene
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
        let expected = boxwood_cpu::paths::path_boxes(&scene.streams());
        assert!(same(bytemuck::cast_slice(&boxes), bytemuck::cast_slice(&expected)), "seed {seed}");
        assert_eq!(bboxes, boxwood_cpu::paths::path_bboxes(&scene.streams()), "seed {seed}");
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
    assert_eq!(error, PathsError::Words { need: binding / 4 + 1, limit: binding / 4 });
    assert!(error.to_string().contains(&(binding / 4).to_string()), "the message names the limit: {error}");
    let n_paths = usize::try_from(binding / 24 + 1).expect("likewise");
    let error = refused(&PathBuffersDescriptor { n_paths, has_bboxes: true, ..size });
    assert_eq!(error, PathsError::Paths { need: binding / 24 + 1, limit: binding / 24 });

    let word = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let error = refused(&PathBuffersDescriptor { n_words: 1, scene: Some(&word), ..size });
    assert_eq!(error, PathsError::Words { need: 1, limit: 0 });
    let nothing = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 0,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let error = refused(&PathBuffersDescriptor { scene: Some(&nothing), ..size });
    assert_eq!(error, PathsError::Words { need: 1, limit: 0 });
    let error = refused(&PathBuffersDescriptor { boxes: Some(&nothing), ..size });
    assert_eq!(error, PathsError::Paths { need: 1, limit: 0 });
    for (bboxes, boxes) in [(&nothing, &word), (&word, &nothing)] {
        let rounded = RoundedBoxes::new(device, &gpu().queue, path_bounds(), bboxes, boxes, 0);
        assert_eq!(rounded.expect_err("it is too small"), PathsError::Paths { need: 1, limit: 0 });
    }
    let error = refused(&PathBuffersDescriptor { n_words: 8, n_tag_words: 1 << 30, ..size });
    assert_eq!(error, PathsError::TagWords { need: 1 << 30, limit: 8 });
    let own = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 64,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let of_own = PathBuffersDescriptor { n_words: 16, scene: Some(&own), ..size };
    let mut of_own = PathBuffers::new(device, path_bounds(), &of_own).expect("it is as large");
    assert_eq!(of_own.upload(&gpu().queue, &empty.streams()), Err(PathsError::NoCopies));

    let scene = random_streams(2000, Numbers::Moderate, 1);
    let mut buffers = PathBuffers::new(device, path_bounds(), &PathBuffersDescriptor::of(&scene.streams()))
        .expect("it is small");
    let larger = random_streams(20_000, Numbers::Moderate, 1);
    let need = larger.words.len() as u64;
    let refused = buffers.upload(&gpu().queue, &larger.streams());
    assert_eq!(refused, Err(PathsError::Words { need, limit: scene.words.len() as u64 }));
    let layout = StreamLayout { n_paths: scene.layout.n_paths + 1, ..scene.layout };
    let refused = buffers.set_layout(&gpu().queue, &layout, scene.words.len());
    assert!(matches!(refused, Err(PathsError::Paths { .. })), "{refused:?}");
    let layout = StreamLayout { style_base: u32::MAX, ..scene.layout };
    let refused = buffers.set_layout(&gpu().queue, &layout, scene.words.len());
    assert!(matches!(refused, Err(PathsError::Streams(_))), "{refused:?}");
    assert_eq!(buffers.n_paths(), 0, "it keeps the scene that it had");
}

/// Every shader as it is but for what is replaced, wherever it stands.
fn with_replacements(replacements: &[(&str, &str)]) -> PathPipelines {
    PathPipelines::with_sources(&gpu().device, |shader| {
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
    let sums = ("fma(a, vec2(config.one), b)", "a + b");
    assert_eq!(path_bounds_difference(&with_replacements(&[(from, to), sums]), &scene, true), None);
}

/// More paths in a partition than a workgroup has slots for.
pub(crate) fn crowd() -> Packed {
    let mut tags = vec![0x20, 0x40];
    tags.extend([9 | 4 | 0x10].repeat(100_000));
    let line = |i: u16| [0.5, 0.0, 1.0, 1.0].map(|v| (v + f32::from(i)).to_bits());
    let data: Vec<u32> = (0..50_000).chain(0..50_000).flat_map(line).collect();
    Packed::of_streams(&tags, &data, &[IDENTITY], &[[0, 0]])
}

/// A run of glyphs is one path.
#[test]
fn a_glyph_run_has_one_box() {
    let font = peniko::FontData::new(peniko::Blob::from(boxwood_assets::NOTO_SANS.to_vec()), 0);
    let run = |glyphs: &[Glyph], style: peniko::Style| {
        let mut encoding = Encoding::new();
        encoding.resources.glyphs.extend(glyphs);
        encoding.resources.glyph_runs.push(GlyphRun {
            font: font.clone(),
            transform: Transform { matrix: [2.0, 0.0, 0.5, 2.0], translation: [10.0, 300.0] },
            glyph_transform: None,
            brush_transform: None,
            font_size: 50.0,
            font_embolden: FontEmbolden::default(),
            hint: false,
            normalized_coords: 0..0,
            style,
            glyphs: 0..glyphs.len(),
            stream_offsets: StreamOffsets::default(),
        });
        encoding.resources.patches.push(Patch::GlyphRun { index: 0 });
        encoding.encode_color(peniko::Color::BLACK);
        let scene = Packed::of(&encoding);
        check("a glyph run", &scene);
        let found = boxwood_cpu::paths::path_boxes(&scene.streams());
        assert_eq!(found.len(), 1);
        found[0]
    };
    let (first, second) = (Glyph { id: 43, x: 0.0, y: 0.0 }, Glyph { id: 44, x: 100.0, y: 20.0 });
    let fill = || peniko::Style::Fill(peniko::Fill::NonZero);
    let [one, other] = [first, second].map(|glyph| run(&[glyph], fill()));
    assert!(20.0 < one.width() && one.width() < 120.0 && one.y1 <= 300.0 && one.y0 > 200.0, "{one:?}");
    assert!((other.y1 - one.y1 - 40.0).abs() < 1e-3 && other.x0 > one.x0 + 150.0, "{one:?}, {other:?}");
    assert_eq!(run(&[first, second], fill()), one.union(other));
    let stroked = run(&[first], peniko::Style::Stroke(kurbo::Stroke::new(4.0)));
    assert!((stroked.y1 - one.y1 - 4.0).abs() < 0.1 && stroked.contains(one), "{one:?}, {stroked:?}");
}

#[test]
fn what_rust_and_wgsl_say_of_streams_agrees() {
    let mut n_seen = 0;
    for shader in PathPipelines::shaders() {
        let size = match shader.name {
            "path_fill" | "path_stroke" | "path_inside" | "path_pieces" => 128,
            "path_spans" | "path_spans_rounded" => 64,
            _ => 256,
        };
        assert_eq!(shader.workgroup_size, [size, 1, 1], "{}", shader.name);
        let module = naga::front::wgsl::parse_str(shader.source).expect("it is valid");
        let structs = module.types.iter().filter_map(|(_, ty)| match &ty.inner {
            naga::TypeInner::Struct { members, span } => Some((ty.name.as_deref()?, members, *span as usize)),
            _ => None,
        });
        for (name, members, span) in structs {
            let found: Vec<_> =
                members.iter().map(|m| (m.name.as_deref().unwrap_or_default(), m.offset as usize)).collect();
            macro_rules! assert_layout {
                ($type:ident: $($field:ident),*) => {{
                    assert_eq!(found, [$((stringify!($field), std::mem::offset_of!($type, $field))),*], "{name}");
                    assert_eq!(span, size_of::<$type>(), "{name}");
                    n_seen += 1;
                }};
            }
            match name {
                "PathConfig" => assert_layout!(PathConfig: n_paths, n_tag_words, n_partitions, path_tag_base,
                    path_data_base, n_path_data, transform_base, n_transforms, style_base, n_styles, one,
                    minus_zero, has_fills, has_strokes, log2_row_tags),
                "PathBbox" => assert_layout!(PathBbox: x0, y0, x1, y1, draw_flags, trans_ix),
                _ => {}
            }
        }
        let expected = [
            ("TAG_LINE", u32::from(PathTag::LINE_TO_I16.0)),
            ("TAG_SUBPATH_END", u32::from(PathTag::SUBPATH_END_BIT)),
            ("TAG_F32", u32::from(PathTag::LINE_TO_F32.0 ^ PathTag::LINE_TO_I16.0)),
            ("TAG_PATH", u32::from(PathTag::PATH.0)),
            ("TAG_TRANSFORM", u32::from(PathTag::TRANSFORM.0)),
            ("TAG_STYLE", u32::from(PathTag::STYLE.0)),
            ("STYLE_STROKE", Style::FLAGS_STYLE_BIT),
            ("STYLE_EVEN_ODD", Style::FLAGS_FILL_BIT),
            ("JOIN_MITER", Style::FLAGS_JOIN_BITS_MITER >> 28),
            ("JOIN_ROUND", Style::FLAGS_JOIN_BITS_ROUND >> 28),
            ("CAP_SQUARE", Style::FLAGS_CAP_BITS_SQUARE >> 24),
            ("CAP_ROUND", Style::FLAGS_CAP_BITS_ROUND >> 24),
            ("MAX_LOG2_ROW_TAGS", boxwood::paths::MAX_ROW_TAGS.ilog2()),
        ];
        for (_, constant) in module.constants.iter() {
            let name = constant.name.as_deref().unwrap_or_default();
            let Some((_, expected)) = expected.iter().find(|(of, _)| *of == name) else { continue };
            let found = &module.global_expressions[constant.init];
            let literal = naga::Expression::Literal(naga::Literal::U32(*expected));
            assert_eq!(format!("{found:?}"), format!("{literal:?}"), "{name} in {}", shader.name);
            n_seen += 1;
        }
    }
    assert!(n_seen > 30, "the shaders have them: {n_seen}");
}
