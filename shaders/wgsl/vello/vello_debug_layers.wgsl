// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Vello's debug layers: the boxes of paths, their flattened line segments, and the ends of these,
// over a picture. The geometry and the colours are those of Vello, so the pictures are the same.
// Each instance is one box, segment, or point.

#import rounded_box

// A flattened line segment: vello_encoding::LineSoup has the same layout.
struct LineSoup {
    path_ix: u32,
    p0: vec2<f32>,
    p1: vec2<f32>,
}

// The size of the picture in pixels.
@group(0) @binding(0) var<uniform> size: vec2<f32>;
@group(0) @binding(1) var<storage> path_bboxes: array<RoundedBox>;
@group(0) @binding(2) var<storage> lines: array<LineSoup>;

struct Vertex {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
    // The offset from the center of a point, in radii. Zero for other shapes.
    @location(1) offset: vec2<f32>,
}

const TINT = vec4<f32>(0.0, 0.0, 0.0, 0.2);
const BOX_COLOR = vec4<f32>(0.0, 1.0, 0.0, 1.0);
const DOWN_COLOR = vec4<f32>(0.0, 1.0, 0.0, 1.0);
const UP_COLOR = vec4<f32>(1.0, 0.0, 0.0, 1.0);
const SEGMENT_WIDTH = 4.0;
// CSS's darkcyan.
const POINT_COLOR = vec4<f32>(0.0, 139.0 / 255.0, 139.0 / 255.0, 1.0);
const POINT_SIZE = 10.0;
const UNPAIRED_COLOR = vec4<f32>(1.0, 0.0, 0.0, 1.0);
const UNPAIRED_SIZE = 80.0;

// The fraction of a point's radius where its edge begins to fade.
const FADE_START = 0.6;

// A corner of the unit square, in the order of a triangle strip.
fn corner(index: u32) -> vec2<f32> {
    return vec2(f32(index & 1u), f32(1u - (index >> 1u)));
}

// The clip-space position of a point in units of the picture, y down.
fn clip_position(point: vec2<f32>) -> vec4<f32> {
    return vec4(vec2(1.0, -1.0) * (2.0 * point - vec2(1.0)), 0.0, 1.0);
}

// Darkens the whole picture.
@vertex
fn tint(@builtin(vertex_index) index: u32) -> Vertex {
    return Vertex(clip_position(corner(index)), TINT, vec2(0.0));
}

// The outline of a box as a line strip of five points.
@vertex
fn box_outline(@builtin(vertex_index) index: u32, @builtin(instance_index) path: u32) -> Vertex {
    let turn = index % 4u;
    let corner = vec2(f32(turn >> 1u), select(0.0, 1.0, turn == 0u || turn == 3u));
    let bbox = path_bboxes[path];
    let origin = vec2(f32(bbox.x0), f32(bbox.y0));
    let extent = vec2(f32(bbox.x1), f32(bbox.y1)) - origin;
    let point = (origin + extent * corner) / size;
    return Vertex(clip_position(point), BOX_COLOR, vec2(0.0));
}

// A line segment as a rectangle. Its colour is the sign of its winding.
@vertex
fn segment(@builtin(vertex_index) index: u32, @builtin(instance_index) instance: u32) -> Vertex {
    let line = lines[instance];
    let from_center = corner(index) - vec2(0.5);
    let along = line.p1 - line.p0;
    let direction = normalize(along);
    let rotation = mat2x2(direction.y, -direction.x, direction.x, direction.y);
    let extent = vec2(SEGMENT_WIDTH, length(along));
    let point = (mix(line.p0, line.p1, 0.5) + rotation * (extent * from_center)) / size;
    return Vertex(clip_position(point), select(UP_COLOR, DOWN_COLOR, along.y >= 0.0), vec2(0.0));
}

// A disc around a point.
fn disc(index: u32, center: vec2<f32>, diameter: f32, color: vec4<f32>) -> Vertex {
    let from_center = corner(index) - vec2(0.5);
    let point = (center + vec2(diameter) * from_center) / size;
    return Vertex(clip_position(point), color, normalize(from_center) * sqrt(2.0));
}

// The first end of a line segment.
@vertex
fn point(@builtin(vertex_index) index: u32, @builtin(instance_index) instance: u32) -> Vertex {
    return disc(index, lines[instance].p0, POINT_SIZE, POINT_COLOR);
}

// The same for an end that is not the end of another segment of the same path.
@vertex
fn unpaired_point(@builtin(vertex_index) index: u32, @builtin(instance_index) instance: u32) -> Vertex {
    return disc(index, lines[instance].p0, UNPAIRED_SIZE, UNPAIRED_COLOR);
}

@fragment
fn fragment(vertex: Vertex) -> @location(0) vec4<f32> {
    let distance = saturate(length(vertex.offset));
    let fade = select(1.0, 1.0 - smoothstep(FADE_START, 1.0, distance), distance > FADE_START);
    return vec4(vertex.color.rgb, vertex.color.a * fade);
}
