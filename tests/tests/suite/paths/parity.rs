//! Path boxes on the GPU equal those of the twin, bit for bit.

use boxwood::Context;
use boxwood_tests::{
    Numbers, Packed, Random, context, gpu, gpu_path_boxes, gpu_path_boxes_after, path_boxes_difference,
    random_encoding, random_streams,
};
use vello_encoding::{Encoding, FontEmbolden, Glyph, GlyphRun, Patch, StreamOffsets, Transform};

/// Tags per partition: 256 words of 4.
pub(crate) const P: usize = 1024;

#[track_caller]
fn check(name: impl std::fmt::Debug, scene: &Packed) {
    for has_rounded_boxes in [false, true] {
        if let Some(difference) = path_boxes_difference(context(), scene, has_rounded_boxes) {
            panic!("{name:?}: {difference}");
        }
    }
}

#[test]
fn random_encodings_agree() {
    for (seed, n_paths) in (0_u64..).zip([0, 1, 2, 3, 10, 100, 300, 1000, 3000]) {
        check(n_paths, &Packed::of(&random_encoding(n_paths, seed)));
    }
}

/// Tags in any order, with streams that end early, around every border of the partitions.
#[test]
fn random_tags_agree() {
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

/// With numbers of 24 significant bits, products round, and the order of sums matters.
#[test]
fn numbers_with_all_bits_agree() {
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

/// A curve with a bound of 0. It would be -0.0 if a compiler replaced 0 - x by -x.
pub(crate) fn edge_at_zero() -> Packed {
    // In the middle, its value is 40 / 2^27.
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
fn a_path_of_many_segments_agrees() {
    for style in [[0, 0], [0x9000_4400, 2.0_f32.to_bits()]] {
        let mut tags = vec![0x20, 0x40];
        tags.extend(std::iter::repeat_n(9, 100_000));
        tags.push(0x10);
        let scene = Packed::of_streams(&tags, &zigzag(100_000), &[IDENTITY], &[style]);
        check(style, &scene);
        let found = gpu_path_boxes(context(), &scene, false).0;
        assert!(found[0].x0 <= -1000.0 && found[0].x1 >= 49_000.0, "{found:?}");
    }
}

/// A path of several rows, then more paths than the layout has.
pub(crate) fn more_paths_than_announced() -> Packed {
    let mut tags = vec![0x20, 0x40];
    tags.extend([9].repeat(100));
    tags.push(0x10);
    tags.extend([9, 0x10].repeat(60));
    let mut scene = Packed::of_streams(&tags, &zigzag(160), &[IDENTITY], &[[0, 0]]);
    scene.layout.n_paths = 1;
    scene
}

/// As many paths in a partition as possible, more than a workgroup has invocations.
#[test]
fn partitions_full_of_paths_agree() {
    check("a line each", &crowd());
    let mut tags = vec![0x20, 0x40];
    tags.extend([0x10].repeat(100_000));
    check("nothing each", &Packed::of_streams(&tags, &[], &[IDENTITY], &[[0, 0]]));
}

/// Buffers can be used for several scenes. Nothing of one scene shows in the next.
#[test]
fn buffers_forget_the_scene_before() {
    let before = random_streams(5 * P, Numbers::Moderate, 1);
    for seed in 2..6 {
        let mut scene = random_streams(3 * P, Numbers::Any, seed);
        scene.layout.n_paths += 3;
        let (boxes, rounded) = gpu_path_boxes_after(context(), &before, &scene, true);
        let same = |a: &[u8], b: &[u8]| a == b;
        let expected = boxwood_cpu::paths::twin::path_boxes(&scene.streams());
        assert!(same(bytemuck::cast_slice(&boxes), bytemuck::cast_slice(&expected)), "seed {seed}");
        assert_eq!(rounded, boxwood_cpu::paths::twin::rounded_boxes(&scene.streams()), "seed {seed}");
    }
}

/// A race would change some bits.
#[test]
fn repeated_runs_agree() {
    let scene = Packed::of(&random_encoding(2000, 7));
    let expected = gpu_path_boxes(context(), &scene, true);
    for _ in 0..50 {
        assert!(gpu_path_boxes(context(), &scene, true) == expected);
    }
}

/// The shaders with texts replaced.
fn with_replacements(replacements: &[(&str, &str)]) -> Context {
    Context::new(&gpu().device).with_changes(|shader| {
        replacements.iter().fold(shader.source.to_owned(), |source, (from, to)| source.replace(from, to))
    })
}

/// A compiler may fuse a product into a sum. Where the shaders allow that, the product is exact.
#[test]
fn fusing_products_changes_nothing() {
    let scene = Packed::of(&random_encoding(3000, 5));
    let (from, to) = (
        "((a1 * x2 + a2 * x1) + a2 * x2) + ((c1 * y2 + c2 * y1) + c2 * y2)",
        "fma(a2, x2, fma(a1, x2, a2 * x1)) + fma(c2, y2, fma(c1, y2, c2 * y1))",
    );
    let sums = ("fma(a, vec2(config.one), b)", "a + b");
    assert_eq!(path_boxes_difference(&with_replacements(&[(from, to), sums]), &scene, true), None);
}

/// More paths in a partition than a workgroup has invocations.
pub(crate) fn crowd() -> Packed {
    let mut tags = vec![0x20, 0x40];
    tags.extend([9 | 4 | 0x10].repeat(100_000));
    let line = |i: u16| [0.5, 0.0, 1.0, 1.0].map(|v| (v + f32::from(i)).to_bits());
    let data: Vec<u32> = (0..50_000).chain(0..50_000).flat_map(line).collect();
    Packed::of_streams(&tags, &data, &[IDENTITY], &[[0, 0]])
}

/// A glyph run is one path.
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
        let found = boxwood_cpu::paths::twin::path_boxes(&scene.streams());
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
