//! The shaders compute exactly only the curves whose bounds may decide a box. In these scenes,
//! bounds and exact values are hard to tell apart, or there are more jobs than the lists have room
//! for.

use boxwood_tests::{
    Numbers, Packed, Random, context, path_boxes_difference_in_rows, random_encoding, random_streams,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::parity::{IDENTITY, P};

/// How the segments of a path are similar.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Alike {
    /// Coordinates that differ by a few units in the last place.
    NearlyEqual,
    /// Few different coordinates, so that many segments have the same extents.
    Ties,
    /// A translation that almost cancels the rest.
    Cancellation,
    /// Scales from the smallest to beyond the range.
    Scales,
    /// Zeros of both signs, NaN and infinities among ties.
    Odd,
    /// Curves smaller than the tolerance of their extrema.
    Tiny,
}

pub(crate) const ALIKE: [Alike; 6] =
    [Alike::NearlyEqual, Alike::Ties, Alike::Cancellation, Alike::Scales, Alike::Odd, Alike::Tiny];

/// How the paths are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    Fill,
    /// With joins, caps, and miter limits of every kind, and widths from 0 to beyond the range.
    Stroke,
}

/// Paths with about `n_tags` tags in total. One segment in `every` is the last of its path.
pub(crate) fn alike_paths(drawn: Drawn, alike: Alike, n_tags: usize, every: usize, seed: u64) -> Packed {
    let (mut numbers, mut choices) = (Random::new(seed), Random::new(!seed));
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    let mut small = |n: usize| numbers.below(n) as f32;
    let mut choice = |n: usize| choices.below(n);
    let (mut tags, mut data, mut transforms, mut styles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    while tags.len() < n_tags {
        let scale = match alike {
            Alike::Scales => (small(200) - 100.0).exp2(),
            Alike::Tiny => (-10.0 - small(30)).exp2(),
            _ => 1.0 + small(64) / 7.0,
        };
        let size = if choice(2) == 0 { 1.0 } else { (small(200) - 120.0).exp2() };
        let near = 100.0 + small(1000) / 3.0;
        let mut coordinate = || match alike {
            Alike::NearlyEqual | Alike::Cancellation => {
                let units: u32 = [0, 1, 2, 3, 5, 8, 100, 1 << 31][choice(8)];
                f32::from_bits(near.to_bits() ^ units)
            }
            Alike::Ties => small(3) - 1.0,
            Alike::Scales => (small(1 << 12) - 2048.0) * size,
            Alike::Tiny => small(1 << 12) - 2048.0,
            Alike::Odd if choice(60) == 0 => [f32::NAN, f32::INFINITY, -f32::INFINITY][choice(3)],
            Alike::Odd => [0.0, -0.0, 1e-13, -1e-13, 1.0, -1.0, 1e-40][choice(7)],
        };
        let points: Vec<[f32; 2]> = (0..8).map(|_| [coordinate(), coordinate()]).collect();
        let [a, mut b, c, mut d] =
            [small(9), small(9) - 4.0, small(9) - 4.0, small(9)].map(|v| (v + 1.0 / 3.0) * scale);
        if drawn == Drawn::Stroke {
            // Much wider or narrower than high.
            let uneven = [1.0, 1.0, 1.0 / 512.0, 512.0][choice(4)];
            (b, d) = (b * uneven, d * uneven);
        }
        let translation = match alike {
            Alike::Cancellation => {
                [-(a * points[0][0] + c * points[0][1]), -(b * points[1][0] + d * points[1][1])]
            }
            Alike::Odd => [0.0, -0.0],
            _ => [small(100), small(100) / 3.0],
        };
        tags.extend([0x20, 0x40]);
        transforms.push([a, b, c, d, translation[0], translation[1]]);
        let mut push_segment = |tag: u8, choice: &mut dyn FnMut(usize) -> usize| {
            tags.push(tag);
            for _ in 0..(tag & 3) + u8::from(tag & 4 != 0) {
                data.extend(points[choice(8)].map(f32::to_bits));
            }
        };
        styles.push(if drawn == Drawn::Fill { [0, 0] } else { stroke_style(size, &mut choice) });
        let mut is_last = false;
        while !is_last {
            is_last = choice(every) == 0;
            let segment = [9, 10, 11][choice(3)];
            if drawn == Drawn::Fill {
                push_segment(segment | if is_last { 4 } else { 0 }, &mut choice);
                continue;
            }
            push_segment(segment, &mut choice);
            if is_last || choice(4) == 0 {
                // The marker of an open or of a closed subpath.
                push_segment([0xe, 0xd][choice(2)], &mut choice);
            }
        }
        tags.push(0x10);
    }
    Packed::of_streams(&tags, &data, &transforms, &styles)
}

/// A style of strokes. Some are as wide as `size`, the size of the coordinates.
fn stroke_style(size: f32, choice: &mut dyn FnMut(usize) -> usize) -> [u32; 2] {
    let joins_and_caps = [0_u32, 1, 2, 3];
    let mut of_two_bits = |shift: u32| joins_and_caps[choice(4)] << shift;
    let flags = 1 << 31 | of_two_bits(28) | of_two_bits(26) | of_two_bits(24);
    // Miter limits of 0, 1, 1.004, 4, 10, 50, 65, the largest f16, and infinity.
    let limit = [0, 0x3c00, 0x3c04, 0x4400, 0x4900, 0x5240, 0x5410, 0x7bff, 0x7c00][choice(9)];
    let width = [0.0, 1e-40, 1e-12, 1e-6, 0.1, 1.0, 7.0 / 3.0, 40.0, -3.0, size, size * 1e3, f32::NAN];
    [flags | limit, width[choice(12)].to_bits()]
}

/// One path of lines with the same extents.
pub(crate) fn equal_lines(style: [u32; 2]) -> Packed {
    let points = (0..3 * P).map(|i| if i % 2 == 0 { [0.1_f32, 0.3] } else { [7.3, 9.1] });
    let data: Vec<u32> = points.flatten().map(f32::to_bits).collect();
    let mut tags = vec![0x20, 0x40];
    tags.extend(std::iter::repeat_n(9, 3 * P - 1));
    tags.push(0x10);
    Packed::of_streams(&tags, &data, &[IDENTITY.map(|v| v / 3.0)], &[style])
}

/// Many paths of curves with the same extents: more jobs than the lists have room for.
pub(crate) fn equal_curves(style: [u32; 2]) -> Packed {
    let points = [[0.1_f32, 0.3], [3.0, 9.0], [5.0, -4.0], [7.3, 9.1], [3.0, 9.0], [5.0, -4.0]];
    let mut tags = vec![0x20, 0x40];
    let mut data = Vec::new();
    for _ in 0..P / 8 {
        tags.extend([11, 11, 11, 11, 9, 0xf, 0x10]);
        for i in [0, 1, 2, 3, 1, 2, 0, 4, 5, 3, 4, 5, 0, 3, 1, 5, 0] {
            data.extend(points[i].map(f32::to_bits));
        }
    }
    Packed::of_streams(&tags, &data, &[IDENTITY.map(|v| v / 3.0)], &[style])
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 160,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Paths of any length, within partitions and across them, with as many transforms as possible.
    #[test]
    fn similar_segments_are_distinguished(
        drawn in prop::sample::select(vec![Drawn::Fill, Drawn::Stroke]),
        alike in prop::sample::select(ALIKE.to_vec()),
        every in prop::sample::select(vec![1, 2, 8, 100, 3000]),
        n_tags in 1..3 * P,
        row_tags in prop::sample::select(vec![None, Some(16), Some(32), Some(64), Some(128), Some(256)]),
        seed in any::<u64>(),
    ) {
        let scene = alike_paths(drawn, alike, n_tags, every, seed);
        prop_assert_eq!(path_boxes_difference_in_rows(context(), &scene, false, row_tags), None);
    }
}

#[test]
fn full_lists_of_jobs_lose_nothing() {
    for style in [[0, 0], [1 << 31, 1.5_f32.to_bits()]] {
        for scene in [equal_lines(style), equal_curves(style)] {
            for row_tags in [None, Some(256)] {
                assert_eq!(path_boxes_difference_in_rows(context(), &scene, true, row_tags), None);
            }
        }
    }
}

#[test]
fn rows_of_every_length_agree() {
    for row_tags in [16, 32, 64, 128, 256] {
        for seed in 0..6 {
            let scene = random_streams(3 * P - 7, Numbers::Any, seed);
            assert_eq!(path_boxes_difference_in_rows(context(), &scene, true, Some(row_tags)), None);
        }
        let scene = Packed::of(&random_encoding(500, row_tags.into()));
        assert_eq!(path_boxes_difference_in_rows(context(), &scene, true, Some(row_tags)), None);
    }
}
