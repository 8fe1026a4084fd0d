//! Scenes of strokes whose extents depend on tiny differences of directions, turns, and miters.

use boxwood_tests::{Packed, context, path_boxes_difference};

use super::parity::{IDENTITY, zigzag};

const STROKE: u32 = 1 << 31;
const MITER: u32 = 1 << 28;
const ROUND_JOIN: u32 = 2 << 28;
const SQUARE_CAPS: u32 = 1 << 26 | 1 << 24;
const ROUND_CAPS: u32 = 2 << 26 | 2 << 24;

/// The scene with these streams. Its tags are padded to pairs of words, so that the shaders read
/// points as pairs.
fn packed(tags: &[u8], data: &[u32], transforms: &[[f32; 6]], styles: &[[u32; 2]]) -> Packed {
    let mut tags = tags.to_vec();
    tags.resize(tags.len().next_multiple_of(8), 0);
    Packed::of_streams(&tags, data, transforms, styles)
}

/// Open paths of one subpath each.
#[derive(Default)]
struct Paths {
    tags: Vec<u8>,
    data: Vec<u32>,
    transforms: Vec<[f32; 6]>,
    styles: Vec<[u32; 2]>,
}

impl Paths {
    /// Adds a path. `segments` are the numbers of points of its segments besides their starts.
    fn push(&mut self, transform: [f32; 6], flags: u32, width: f32, segments: &[u8], points: &[[f32; 2]]) {
        self.transforms.push(transform);
        self.styles.push([STROKE | flags, width.to_bits()]);
        self.tags.extend([0x20, 0x40]);
        self.tags.extend(segments.iter().map(|n_points| 8 | n_points));
        self.tags.extend([0xe, 0x10]);
        // The marker of an open subpath: its start, and the next point.
        self.data.extend(points.iter().chain(&points[..2]).flatten().map(|v| v.to_bits()));
    }

    /// Adds a path with a thin frame in device space, given by its corners, which decides the box
    /// on most sides.
    fn push_framed(
        &mut self,
        frame: [f32; 4],
        transform: [f32; 6],
        flags: u32,
        width: f32,
        segments: &[u8],
        points: &[[f32; 2]],
    ) {
        self.push(transform, flags, width, segments, points);
        self.tags.pop();
        let [x0, y0, x1, y1] = frame;
        self.push(IDENTITY, 0, 0.0, &[1, 1, 1], &[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]);
    }

    fn packed(&self) -> Packed {
        packed(&self.tags, &self.data, &self.transforms, &self.styles)
    }
}

/// Segments with ends, or whole lines, so short that they have the direction of other points, or
/// none.
pub(crate) fn close_to_nothing() -> Packed {
    let mut paths = Paths::default();
    for flags in [SQUARE_CAPS, ROUND_CAPS, MITER | 0x4900, ROUND_JOIN, MITER | 0x7bff] {
        for short in [-19, -20, -21, -23, -30, -40, -43].map(|k| 2.0_f32.powi(k)) {
            for [x, y] in [[short, 0.0], [0.0, short], [-short, 0.0], [0.0, -short]] {
                // Points that are close in the path's space. The transform is large.
                let transform = [100.0, 0.0, 0.0, 100.0, 0.0, 0.0];
                let curve = [[0.5, 0.25], [0.25, 0.5], [x, y], [0.0, 0.0], [0.5, -0.5]];
                paths.push(transform, flags, 0.25, &[3], &curve[..4]);
                paths.push(transform, flags, 0.25, &[3, 1], &curve);
                // A line that turns into one that is tiny compared with its width.
                let frame = [-2e7, -9e7, 9e7, 9e7];
                let points = [[100.0, 0.0], [0.0, 0.0], [x, y]];
                paths.push_framed(frame, IDENTITY, flags, 1e8, &[1, 1], &points);
                // Lines under a flat transform.
                let flat = [100.0, 0.0, 0.0, 0.0, 5.0, 5.0];
                paths.push(flat, flags, 3.0, &[1, 1, 1], &[[0.0, 0.0], [x, 0.0], [x, y], [10.0, 0.0]]);
                paths.push(flat, flags, 3.0, &[1, 1], &[[0.0, 0.0], [0.0, 0.0], [10.0, 0.0]]);
                paths.push(flat, flags, 3.0, &[1, 1], &[[0.0, 0.0], [10.0, 0.0], [10.0, 0.0]]);
                // A curve that is nearly a point.
                paths.push(
                    transform,
                    flags,
                    0.25,
                    &[3, 1],
                    &[[0.0, 0.0], [x, y], [y, x], [0.0, 0.0], [3.0, 2.0]],
                );
                // Lines that are tiny compared with their width, or with other points.
                let short_line = [[x, y], [0.0, 0.0], [100.0, 100.0], [1e8, 1e7]];
                let short_end =
                    [[100.0, 100.0], [0.0, 100.0], [x * 16.0, y * 16.0], [0.0, 0.0], [-1e8, -1e7]];
                for width in [1e8, 1e3] {
                    paths.push(IDENTITY, flags, width, &[1], &short_line[..2]);
                    paths.push(IDENTITY, flags, width, &[1, 1], &short_line[..3]);
                    paths.push(IDENTITY, flags, width, &[1, 1, 1], &short_line);
                    paths.push(IDENTITY, flags, width, &[3], &short_end[..4]);
                    paths.push(IDENTITY, flags, width, &[3, 1], &short_end);
                }
            }
        }
    }
    paths.packed()
}

/// Turns from or to lines that the transform makes level, or nearly level.
pub(crate) fn level_turns() -> Packed {
    let mut paths = Paths::default();
    for flags in [ROUND_JOIN, ROUND_CAPS, MITER | 0x4400] {
        for (i, j) in (1..9_u8).flat_map(|i| (1..9_u8).map(move |j| (f32::from(i), f32::from(j)))) {
            // (j, -i) is level.
            let transform = [1.0, 0.1 * i, 0.3, 0.1 * j, 7.0, -3.0];
            for side in [-1.0, 1.0] {
                let (level, steep) = ([j * side / 3.0, -i * side / 3.0], [9.0, 4.0]);
                for [from, to] in [[level, steep], [steep, level]] {
                    for far in [-100.0, 100.0] {
                        let points = [[from[0] * far, from[1] * far], [0.0, 0.0], [to[0], to[1]]];
                        for frame in [[-9e3, -9e3, 9e3, -4.0], [-9e3, -2.0, 9e3, 9e3]] {
                            paths.push_framed(frame, transform, flags, 10.0, &[1, 1], &points);
                        }
                    }
                }
            }
        }
    }
    paths.packed()
}

/// Turns whose miters are just within their limit or just beyond it, and miters much longer than
/// the lines.
pub(crate) fn miters_at_their_limit() -> Packed {
    let mut paths = Paths::default();
    for (bits, limit) in [(0x3c80, 1.125_f32), (0x4000, 2.0), (0x4400, 4.0), (0x4900, 10.0), (0x5000, 32.0)] {
        let turn = 2.0 * (limit * limit - 1.0).sqrt().atan();
        for direction in (0..12_u8).map(|i| f32::from(i) * 0.7) {
            for nearly in (-12..=12_i8).map(f32::from) {
                let turned = direction + turn + nearly * 2.0_f32.powi(-23) / limit;
                let points = [
                    [-50.0 * direction.cos(), -50.0 * direction.sin()],
                    [0.0, 0.0],
                    [70.0 * turned.cos(), 70.0 * turned.sin()],
                ];
                paths.push(IDENTITY, MITER | bits, 8.0, &[1, 1], &points);
            }
        }
    }
    // Tips that exceed a frame.
    for (bits, limit) in [(0x4000, 2.0_f32), (0x4400, 4.0), (0x4900, 10.0)] {
        let turn = 2.0 * (limit * limit - 1.0).sqrt().atan();
        for direction in (-20..=20_i8).map(|i| f32::from(i) * 0.003) {
            for nearly in (-12..=12_i8).map(f32::from) {
                let turned = direction + turn + nearly * 2.0_f32.powi(-22) / limit;
                let points = [
                    [-50.0 * direction.cos(), -50.0 * direction.sin()],
                    [0.0, 0.0],
                    [40.0 * turned.cos(), 40.0 * turned.sin()],
                ];
                paths.push_framed([-90.0, -90.0, 4.8, 90.0], IDENTITY, MITER | bits, 8.0, &[1, 1], &points);
            }
        }
    }
    // Tips at nearly the same distance.
    for turn in (1..40_u8).map(|i| 3.1085 - f32::from(i) / 1000.0) {
        for direction in (-10..=10_i8).map(|i| f32::from(i) * 0.003) {
            for length in (1..10_u8).map(|i| 1.0 + f32::from(i) / 7.0) {
                let turned = direction + turn;
                let points = [
                    [-length * direction.cos(), -length * direction.sin()],
                    [0.0, 0.0],
                    [length * turned.cos(), length * turned.sin()],
                ];
                paths.push_framed([-9e4, -9e4, 0.0, 9e4], IDENTITY, MITER | 0x7bff, 1000.0, &[1, 1], &points);
                paths.tags.pop();
            }
            paths.tags.push(0x10);
        }
    }
    for turn in (1..60_u8).map(|i| 3.1 - f32::from(i) / 40.0) {
        for direction in (0..12_u8).map(|i| f32::from(i) * 0.6) {
            let turned = direction + turn;
            let points = [[-direction.cos(), -direction.sin()], [0.0, 0.0], [turned.cos(), turned.sin()]];
            paths.push(IDENTITY, MITER | 0x7bff, 1000.0, &[1, 1], &points);
        }
    }
    paths.packed()
}

/// More strokes in a partition than a workgroup has invocations.
pub(crate) fn crowd_of_strokes() -> Packed {
    let mut tags = vec![0x20, 0x40];
    tags.extend([9 | 0x10].repeat(3000));
    packed(&tags, &zigzag(3000), &[IDENTITY], &[[1 << 31, 2.0_f32.to_bits()]])
}

/// Strokes whose transform or style changes between two joined segments, by a bit of the tag of the
/// first.
pub(crate) fn changing_styles() -> Packed {
    let (mut tags, mut data, mut transforms, mut styles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for changes in [0x20, 0x40, 0x60] {
        for next_style in [[0, 0], [1 << 31 | MITER | 0x4400, 9.0_f32.to_bits()]] {
            for turn in [-1.0, 0.5, 1.0_f32] {
                tags.extend([0x20, 0x40, 9 | changes, 9, 0xe, 0x10]);
                transforms.push(IDENTITY);
                styles.push([1 << 31 | MITER | 0x4900, 20.0_f32.to_bits()]);
                if changes & 0x20 != 0 {
                    transforms.push([0.5, 0.0, 0.0, 0.5, 300.0, -200.0]);
                }
                if changes & 0x40 != 0 {
                    styles.push(next_style);
                }
                let points = [[-50.0, 0.0], [40.0, 20.0 * turn], [30.0 * turn, 60.0]];
                data.extend(points.iter().chain(&points[..2]).flatten().map(|v| v.to_bits()));
            }
        }
    }
    // A line that the transform makes a point at the origin, and one far from it with a width.
    tags.extend([0x20, 0x40, 9, 0xe, 0x20, 9, 0xe, 0x10]);
    transforms.extend([[0.0; 6], IDENTITY]);
    styles.push([1 << 31, 2.0_f32.to_bits()]);
    let lines =
        [[0.0, 0.0], [5.0, 5.0], [0.0, 0.0], [5.0, 5.0], [9.0, 9.0], [12.0, 13.0], [9.0, 9.0], [12.0, 13.0]];
    data.extend(lines.into_iter().flatten().map(f32::to_bits));
    packed(&tags, &data, &transforms, &styles)
}

/// Paths of `n` curves that end in two coinciding control points, alternately on either side, each
/// a little farther than those before. Their bounds are not tight, so there are more jobs than the
/// list has room for.
pub(crate) fn hooks(n: u16) -> Packed {
    let (mut tags, mut data) = (vec![0x20, 0x40], Vec::new());
    let mut push = |points: &[[f32; 2]]| data.extend(points.iter().flatten().map(|v| v.to_bits()));
    for path in 0..300_u16 {
        tags.extend([11].repeat(n.into()));
        tags.extend([0xe, 0x10]);
        push(&[[-50.0, -40.0]]);
        for i in 0..n {
            let far = f32::from(i) * 0.01 + f32::from(path % 7);
            let side = if i % 2 == 0 { 1.0 } else { -1.0 };
            let end = [side * (50.0 + far), side * (40.0 + far)];
            push(&[[side * 3.0, side * -5.0], end, end]);
        }
        push(&[[-50.0, -40.0], [3.0, -5.0]]);
    }
    packed(&tags, &data, &[IDENTITY], &[[1 << 31, 6.0_f32.to_bits()]])
}

/// Paths of many arches, each higher than the one before: much higher in the first path, and in
/// others by less than the error of their bounds.
pub(crate) fn arches() -> Packed {
    const N: u16 = 200;
    let (mut tags, mut data) = (vec![0x20, 0x40], Vec::new());
    for path in 0..8_u8 {
        tags.extend([11].repeat(N.into()));
        tags.push(0x10);
        let step = if path == 0 { 1.0 } else { 1.0 / 2048.0 };
        for i in 0..N {
            let (x, height) = (10.0 * f32::from(i), 40.0 + f32::from(path) + f32::from(i) * step);
            data.extend([x, 0.0, x, height, x + 10.0, height]);
        }
        data.extend([10.0 * f32::from(N), 0.0]);
    }
    let data: Vec<u32> = data.into_iter().map(f32::to_bits).collect();
    packed(&tags, &data, &[IDENTITY], &[[1 << 31, 3.0_f32.to_bits()]])
}

/// Paths of many small curves in a frame. Only the last curve exceeds the frame.
pub(crate) fn late_arches() -> Packed {
    let (mut tags, mut data) = (vec![0x20, 0x40], Vec::new());
    let arch = [[130.0, 300.0], [140.0, 300.0]];
    // A curve that ends in two coinciding control points.
    let hook = [[650.0, 352.0], [1120.0, 802.0], [1120.0, 802.0]];
    for last in [&arch[..], &hook[..]] {
        tags.extend([9; 3]);
        data.extend([[-900.0, -900.0], [900.0, -900.0], [900.0, 50.0]]);
        tags.extend([11; 120]);
        for x in (0..120_u8).map(f32::from) {
            data.extend([[x, 1.0], [x, 2.0], [x + 1.0, 3.0]]);
        }
        tags.extend([if last.len() == 3 { 11 } else { 10 }, 0xe, 0x10]);
        data.push([120.0, 2.0]);
        data.extend(last);
        data.extend([[-900.0, -900.0], [900.0, -900.0]]);
    }
    let data: Vec<u32> = data.into_iter().flatten().map(f32::to_bits).collect();
    packed(&tags, &data, &[IDENTITY], &[[1 << 31, 3.0_f32.to_bits()]])
}

/// Paths whose second line leaves the range, to where squares overflow. Each has three tags, so
/// some have that line in another row of tags.
pub(crate) fn leaving_range() -> Packed {
    let (mut tags, mut data) = (vec![0x20, 0x40], Vec::new());
    for i in 0..600_u16 {
        tags.extend([9, 9, 0x10]);
        let far = if i % 2 == 0 { 3e38 } else { -2e20 };
        data.extend([1.0, 2.0, 30.0, 40.0, far, far * 0.5_f32].map(f32::to_bits));
    }
    packed(&tags, &data, &[IDENTITY], &[[STROKE | MITER | 0x4900, 6.0_f32.to_bits()]])
}

/// Strokes for which the origin of device space is just within the range of the path's space, or
/// beyond it.
pub(crate) fn far_origins() -> Packed {
    let mut paths = Paths::default();
    for far in [1.0, 500.0, 900.0, 1100.0, 1e5, 1e7_f32] {
        let transform = [1e-6, 2e-7, -3e-7, 2e-6, far, -0.3 * far];
        paths.push(transform, MITER | 0x4900, 3e6, &[1, 1], &[[1e7, 3e6], [-2e7, 4e6], [1e5, 2e7]]);
    }
    paths.packed()
}

/// Strokes that turn around, with angles down to 0, with every kind of join.
pub(crate) fn hairpins() -> Packed {
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
    // Curves whose control points coincide, or nearly, at both ends.
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
    packed(&tags, &data, &[IDENTITY], &styles)
}

#[test]
fn strokes_in_special_scenes_agree() {
    for (name, scene) in [
        ("close to nothing", close_to_nothing()),
        ("level turns", level_turns()),
        ("miters at their limit", miters_at_their_limit()),
        ("changing styles", changing_styles()),
        ("arches", arches()),
        ("late arches", late_arches()),
        ("hooks", hooks(100)),
        ("a hook to each side", hooks(2)),
        ("leaving range", leaving_range()),
        ("far origins", far_origins()),
    ] {
        assert_eq!(path_boxes_difference(context(), &scene, true), None, "{name}");
    }
}
