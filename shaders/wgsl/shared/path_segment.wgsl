// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Segments as they are read, and where they are in device space.

// The control points of a segment. With n < 4 of them, the last stands in p3 too, and the one before it in p2 where that is p1 of 3.
struct Segment {
    p0: vec2<f32>,
    p1: vec2<f32>,
    p2: vec2<f32>,
    p3: vec2<f32>,
    n: u32,
    // The largest bits of the magnitude of a coordinate; those of NaN where there are no coordinates.
    greatest: u32,
}

// The bits of the magnitude of what is not finite, or more.
const INFINITY = 0x7f800000u;

fn magnitude(x: u32) -> u32 {
    return x & 0x7fffffffu;
}

fn read_point(begin: u32, index: u32, is_f32: bool) -> vec2<u32> {
    if is_f32 {
        let at = config.path_data_base + begin + 2u * index;
        return vec2(scene[at], scene[at + 1u]);
    }
    let halves = bitcast<i32>(scene[config.path_data_base + begin + index]);
    return bitcast<vec2<u32>>(vec2(f32((halves << 16u) >> 16u), f32(halves >> 16u)));
}

// The control points that a tag has at an offset of the path data.
fn read_segment(begin: u32, tag: u32) -> Segment {
    let n = (tag & TAG_SEGMENT) + 1u;
    let is_f32 = (tag & TAG_F32) != 0u;
    let n_words = select(n, 2u * n, is_f32);
    var segment: Segment;
    segment.n = n;
    segment.greatest = 0x7fffffffu;
    if begin > config.n_path_data || config.n_path_data - begin < n_words {
        return segment;
    }
    let p0 = read_point(begin, 0u, is_f32);
    let p1 = read_point(begin, 1u, is_f32);
    var p2 = p1;
    var p3 = p1;
    if n > 2u {
        p2 = read_point(begin, 2u, is_f32);
        p3 = p2;
        if n > 3u {
            p3 = read_point(begin, 3u, is_f32);
        } else {
            p2 = p1;
        }
    }
    let greatest = max(max(p0 & vec2(0x7fffffffu), p1 & vec2(0x7fffffffu)), max(p2 & vec2(0x7fffffffu), p3 & vec2(0x7fffffffu)));
    segment.greatest = max(greatest.x, greatest.y);
    segment.p0 = bitcast<vec2<f32>>(p0);
    segment.p1 = bitcast<vec2<f32>>(p1);
    segment.p2 = bitcast<vec2<f32>>(p2);
    segment.p3 = bitcast<vec2<f32>>(p3);
    return segment;
}

// A transform, brought with the coordinates that it is for to a range in which nothing overflows or is subnormal.
struct Map {
    // What the axes become, times 2 to the power of `exponent`.
    x_axis: vec2<f32>,
    y_axis: vec2<f32>,
    translation: vec2<f32>,
    exponent: i32,
    is_huge: bool,
    is_finite: bool,
}

const MIN_EXPONENT = -60;
const MAX_EXPONENT = 126;
const MAX_MATRIX_EXPONENT = 100;
const COORDINATE_DUST = 0x1p-42f;
const MATRIX_DUST = 0x1p-38f;

fn biased_exponent(x: u32) -> i32 {
    return i32((x >> 23u) & 0xffu);
}

// The transform of this index for coordinates up to these bits.
fn map_of(transform: u32, greatest: u32) -> Map {
    let at = config.transform_base + 6u * transform;
    let a = scene[at];
    let b = scene[at + 1u];
    let c = scene[at + 2u];
    let d = scene[at + 3u];
    let e = scene[at + 4u];
    let f = scene[at + 5u];
    let of_matrix = max(max(magnitude(a), magnitude(b)), max(magnitude(c), magnitude(d)));
    let of_translation = max(magnitude(e), magnitude(f));
    let exponent = clamp(biased_exponent(greatest) - 127, MIN_EXPONENT, MAX_EXPONENT);
    var map: Map;
    map.exponent = exponent;
    map.is_finite = max(of_matrix, of_translation) < INFINITY;
    // What is subnormal counts as 0.
    map.is_huge = (of_matrix >= 0x00800000u && biased_exponent(of_matrix) - 127 + exponent > MAX_MATRIX_EXPONENT)
        || biased_exponent(of_translation) - 127 > MAX_MATRIX_EXPONENT;
    if !map.is_finite || map.is_huge {
        return map;
    }
    let scale = power_of_two(exponent);
    let matrix = vec4(a, b, c, d);
    let normal = bitcast<vec4<f32>>(select(matrix, vec4(0u), (matrix & vec4(0x7f800000u)) == vec4(0u)));
    map.x_axis = flushed2(normal.xy * scale, MATRIX_DUST);
    map.y_axis = flushed2(normal.zw * scale, MATRIX_DUST);
    map.translation = flushed2(bitcast<vec2<f32>>(vec2(e, f)), MATRIX_DUST);
    return map;
}

fn scaled(map: Map, x: vec2<f32>) -> vec2<f32> {
    return flushed2(x * power_of_two(-map.exponent), COORDINATE_DUST);
}

fn scaled_segment(map: Map, segment: Segment) -> Segment {
    return Segment(
        scaled(map, segment.p0),
        scaled(map, segment.p1),
        scaled(map, segment.p2),
        scaled(map, segment.p3),
        segment.n,
        segment.greatest,
    );
}

// Where a point of scaled coordinates is.
fn place(map: Map, point: vec2<f32>) -> Placed {
    return affine(map.x_axis, point.xx, map.y_axis, point.yy, map.translation);
}
