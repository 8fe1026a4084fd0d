// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, scene, scene_pairs
// provides: INFINITY, NOT_FINITE, Segment, Transform, greatest_of_matrix, greatest_of_point
// provides: greatest_of_transform, has_data, magnitude, pair_of_data, pair_of_words, read_segment
// provides: read_transform

// Segments and transforms as they are in the streams of the scene.

#import tag

// The control points of a segment. With n < 4 of them, p3 is the last one, and the others up to p3
// repeat a neighbour: p2 = p1 for n = 3, and p1 = p2 = p3 for n = 2.
struct Segment {
    p0: vec2<f32>,
    p1: vec2<f32>,
    p2: vec2<f32>,
    p3: vec2<f32>,
    n: u32,
    // The largest `magnitude` of a coordinate, or NOT_FINITE if the stream has no such segment.
    greatest: u32,
}

// Magnitudes as bits, which have the same order. Finite numbers are below INFINITY.
const INFINITY = 0x7f800000u;
const NOT_FINITE = 0x7fffffffu;

fn magnitude(x: u32) -> u32 {
    return x & 0x7fffffffu;
}

fn greatest_of_point(bits: vec2<u32>) -> u32 {
    return max(magnitude(bits.x), magnitude(bits.y));
}

fn pair_of_words(at: u32) -> vec2<u32> {
    if (at & 1u) == 0u {
        return scene_pairs[at / 2u];
    }
    return vec2(scene[at], scene[at + 1u]);
}

// The point with an index at a word of the scene, as the bits of f32.
fn read_point(at: u32, index: u32, is_f32: bool) -> vec2<u32> {
    if is_f32 {
        return pair_of_words(at + 2u * index);
    }
    let halves = bitcast<i32>(scene[at + index]);
    return bitcast<vec2<u32>>(vec2(f32((halves << 16u) >> 16u), f32(halves >> 16u)));
}

// The pair of words of the scene that contains a word of path data.
fn pair_of_data(data: u32) -> u32 {
    return (config.path_data_base + data) / 2u;
}

// Whether the path data has `n_words` words starting at `begin`. Everything that reads path data
// checks this first, because tags may ask for more than there is.
fn has_data(begin: u32, n_words: u32) -> bool {
    return begin <= config.n_path_data && config.n_path_data - begin >= n_words;
}

// The segment of a tag at an offset of the path data.
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
    let p0 = read_point(at, 0u, is_f32);
    let p1 = read_point(at, 1u, is_f32);
    var p2 = p1;
    var p3 = p1;
    if n > 2u {
        p3 = read_point(at, 2u, is_f32);
    }
    if n > 3u {
        p2 = p3;
        p3 = read_point(at, 3u, is_f32);
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

// The bits of a transform: a, b, c, d of its matrix, then e and f.
struct Transform {
    matrix: vec4<u32>,
    translation: vec2<u32>,
}

// The transform with an index below `n_transforms`.
fn read_transform(index: u32) -> Transform {
    let at = config.transform_base + 6u * index;
    return Transform(vec4(pair_of_words(at), pair_of_words(at + 2u)), pair_of_words(at + 4u));
}

fn greatest_of_matrix(transform: Transform) -> u32 {
    return max(greatest_of_point(transform.matrix.xy), greatest_of_point(transform.matrix.zw));
}

fn greatest_of_transform(transform: Transform) -> u32 {
    return max(greatest_of_matrix(transform), greatest_of_point(transform.translation));
}
