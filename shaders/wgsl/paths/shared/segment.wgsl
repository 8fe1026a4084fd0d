// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, scene, scene_pairs
// provides: INFINITY, MATRIX_DUST, NOT_FINITE, Segment, exponent_for, greatest_of_point
// provides: greatest_of_transform, has_data, magnitude, normal_matrix, pair_of_data
// provides: pair_of_words, range_of, read_segment, read_transform, scaled_by, scaled_matrix

// Segments as they are read, and where they are in device space.

#import arithmetic
#import tag

// The control points of a segment. With n < 4 of them, the last stands in p3 too, and the one before it in p2 where that is p1 of
// 3.
struct Segment {
    p0: vec2<f32>,
    p1: vec2<f32>,
    p2: vec2<f32>,
    p3: vec2<f32>,
    n: u32,
    // The largest bits of the magnitude of a coordinate; those of NaN where there are no coordinates.
    greatest: u32,
}

// The bits of the magnitude of what is not finite, or more; and the largest of these.
const INFINITY = 0x7f800000u;
const NOT_FINITE = 0x7fffffffu;

fn magnitude(x: u32) -> u32 {
    return x & 0x7fffffffu;
}

fn pair_of_words(at: u32) -> vec2<u32> {
    if (at & 1u) == 0u {
        return scene_pairs[at / 2u];
    }
    return vec2(scene[at], scene[at + 1u]);
}

fn pair_of_halves(at: u32) -> vec2<u32> {
    let halves = bitcast<i32>(scene[at]);
    return bitcast<vec2<u32>>(vec2(f32((halves << 16u) >> 16u), f32(halves >> 16u)));
}

fn greatest_of_point(bits: vec2<u32>) -> u32 {
    return max(magnitude(bits.x), magnitude(bits.y));
}

// The pair of words of the scene in which a word of path data is.
fn pair_of_data(data: u32) -> u32 {
    return (config.path_data_base + data) / 2u;
}

// Whether there are so many words of path data from there on.
fn has_data(begin: u32, n_words: u32) -> bool {
    return begin <= config.n_path_data && config.n_path_data - begin >= n_words;
}

// The control points that a tag has at an offset of the path data.
fn read_segment(begin: u32, tag: u32) -> Segment {
    let n = (tag & TAG_SEGMENT) + 1u;
    let is_f32 = (tag & TAG_F32) != 0u;
    var segment: Segment;
    segment.n = n;
    segment.greatest = NOT_FINITE;
    if !has_data(begin, select(n, 2u * n, is_f32)) {
        return segment;
    }
    let at = config.path_data_base + begin;
    var p0: vec2<u32>;
    var p1: vec2<u32>;
    var p2: vec2<u32>;
    var p3: vec2<u32>;
    // Reads of one kind are side by side.
    if is_f32 && (at & 1u) == 0u {
        let pair = at / 2u;
        p0 = scene_pairs[pair];
        p1 = scene_pairs[pair + 1u];
        p2 = p1;
        p3 = p1;
        if n > 2u {
            p3 = scene_pairs[pair + 2u];
        }
        if n > 3u {
            p2 = p3;
            p3 = scene_pairs[pair + 3u];
        }
    } else if is_f32 {
        p0 = pair_of_words(at);
        p1 = pair_of_words(at + 2u);
        p2 = p1;
        p3 = p1;
        if n > 2u {
            p3 = pair_of_words(at + 4u);
        }
        if n > 3u {
            p2 = p3;
            p3 = pair_of_words(at + 6u);
        }
    } else {
        p0 = pair_of_halves(at);
        p1 = pair_of_halves(at + 1u);
        p2 = p1;
        p3 = p1;
        if n > 2u {
            p3 = pair_of_halves(at + 2u);
        }
        if n > 3u {
            p2 = p3;
            p3 = pair_of_halves(at + 3u);
        }
    }
    segment.greatest = max(
        max(greatest_of_point(p0), greatest_of_point(p1)),
        max(greatest_of_point(p2), greatest_of_point(p3)),
    );
    segment.p0 = bitcast<vec2<f32>>(p0);
    segment.p1 = bitcast<vec2<f32>>(p1);
    segment.p2 = bitcast<vec2<f32>>(p2);
    segment.p3 = bitcast<vec2<f32>>(p3);
    return segment;
}

const MIN_EXPONENT = -60;
const MAX_EXPONENT = 126;
const MAX_MATRIX_EXPONENT = 100;
const COORDINATE_DUST = 0x1p-42f;
const MATRIX_DUST = 0x1p-38f;

fn biased_exponent(x: u32) -> i32 {
    return i32((x >> 23u) & 0xffu);
}

// The bits of a transform: a, b, c, d of its matrix, then e and f.
struct Transform {
    matrix: vec4<u32>,
    translation: vec2<u32>,
}

fn read_transform(index: u32) -> Transform {
    let at = config.transform_base + 6u * index;
    return Transform(vec4(pair_of_words(at), pair_of_words(at + 2u)), pair_of_words(at + 4u));
}

fn greatest_of_matrix(transform: Transform) -> u32 {
    let m = transform.matrix & vec4(0x7fffffffu);
    return max(max(m.x, m.y), max(m.z, m.w));
}

fn greatest_of_translation(transform: Transform) -> u32 {
    return max(magnitude(transform.translation.x), magnitude(transform.translation.y));
}

// The largest bits of the magnitude of its numbers.
fn greatest_of_transform(transform: Transform) -> u32 {
    return max(greatest_of_matrix(transform), greatest_of_translation(transform));
}

// What coordinates up to these bits are divided by 2 to the power of.
fn exponent_for(greatest: u32) -> i32 {
    return clamp(biased_exponent(greatest) - 127, MIN_EXPONENT, MAX_EXPONENT);
}

// The bits of the magnitudes of coordinates from which on boxes could be out of range.
fn range_of(transform: Transform) -> u32 {
    if biased_exponent(greatest_of_translation(transform)) - 127 > MAX_MATRIX_EXPONENT {
        return 0u;
    }
    let of_matrix = greatest_of_matrix(transform);
    // What is subnormal counts as 0.
    let least = MAX_MATRIX_EXPONENT + 1 - (biased_exponent(of_matrix) - 127);
    if of_matrix < 0x00800000u || least > MAX_EXPONENT {
        return INFINITY;
    }
    return u32(least + 127) << 23u;
}

// The numbers of a matrix, of which those that are subnormal count as 0.
fn normal_matrix(matrix: vec4<u32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(select(matrix, vec4(0u), (matrix & vec4(0x7f800000u)) == vec4(0u)));
}

fn scaled_matrix(matrix: vec4<f32>, exponent: i32) -> vec4<f32> {
    let scaled = matrix * power_of_two(exponent);
    return select(scaled, vec4(0.0), abs(scaled) < vec4(MATRIX_DUST));
}

fn scaled_by(exponent: i32, x: vec2<f32>) -> vec2<f32> {
    return flushed2(x * power_of_two(-exponent), COORDINATE_DUST);
}
