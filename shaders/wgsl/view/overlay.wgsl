// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Draws outlines of boxes, one device pixel wide, straight from the stage's buffers.
//
// Each instance is one box with 24 vertices: four edges of two triangles. The buffers of boxes, and
// of draw tags or entries, are bound as vertex buffers, so nothing is copied or read back. Each
// edge is a rectangle of whole pixels without anti-aliasing, so it is the same on every adapter.
// `overlay/outline.rs` of boxwood_render has the same rule for the CPU.

#import entry

struct View {
    // The scene point at the picture's origin is the sum of these. The difference of a box to it
    // is then nearly exact for boxes near the picture.
    origin_high: vec2<f32>,
    origin_low: vec2<f32>,
    // Device pixels per scene unit.
    scale: f32,
    // Offsets from the picture's origin are clamped to this, in scene units.
    max_offset: f32,
    // The size of the picture in device pixels.
    size: vec2<i32>,
    // A rectangle that the overlay leaves free: x0, y0, x1, y1 in device pixels. Ends are
    // exclusive.
    hole: vec4<i32>,
}

struct Style {
    color: vec4<f32>,
    // Bit i is set if pixel i of each `dash_period` pixels along an edge is painted.
    dash_bits: u32,
    dash_period: u32,
    // 1 if the boxes belong to entries of the node stream, 0 if they belong to elements.
    of_entries: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> style: Style;

struct Vertex {
    @builtin(position) position: vec4<f32>,
    // The pixel where the edge's dashes start, and the edge's axis: 0 for x, 1 for y.
    @location(0) @interpolate(flat) start_and_axis: vec2<i32>,
}

// A box that covers less than this of a pixel, in device pixels, does not touch the pixel: 1/256.
const SNAP_TOLERANCE = 0.00390625;

// The two triangles of an edge. Bit i is set if corner i is at the upper end of the axis.
const CORNERS_X = 0x32u;
const CORNERS_Y = 0x2cu;

fn device_point(point: vec2<f32>) -> vec2<f32> {
    let offset = point - view.origin_high - view.origin_low;
    return clamp(offset, vec2(-view.max_offset), vec2(view.max_offset)) * view.scale;
}

// Only leaves and begins have outlines. `word` is the draw tag of an element, or an entry of the
// node stream.
fn has_outline(scene_box: vec4<f32>, word: u32) -> bool {
    let is_leaf = word != TAG_NOP && word != TAG_BEGIN && word != TAG_END;
    let is_shown = select(is_leaf, entry_is_begin(bitcast<i32>(word)), style.of_entries == 1u);
    return is_shown && all(scene_box.xy < scene_box.zw);
}

@vertex
fn outline(
    @location(0) scene_box: vec4<f32>,
    @location(1) word: u32,
    @builtin(vertex_index) index: u32,
) -> Vertex {
    if !has_outline(scene_box, word) {
        // All vertices at one point outside the picture paint nothing.
        return Vertex(vec4(2.0, 2.0, 0.0, 1.0), vec2(0, 0));
    }
    // The outermost pixels that the box touches.
    let low = vec2<i32>(floor(device_point(scene_box.xy) + SNAP_TOLERANCE));
    let high = max(vec2<i32>(ceil(device_point(scene_box.zw) - SNAP_TOLERANCE)) - 1, low);

    // The edges are the top, the bottom, the left, and the right one. Each is one pixel thick.
    let edge = index / 6u;
    let first = select(low, high, vec2(edge == 3u, edge == 1u));
    let last = select(high, low, vec2(edge == 2u, edge == 0u));
    // Edges outside the picture stay outside, but near it, where rasterizers are exact.
    let near_low = clamp(first, vec2(-2), view.size + 1);
    let near_high = clamp(last + 1, vec2(-1), view.size + 2);
    let corner = index % 6u;
    let is_high = ((vec2(CORNERS_X, CORNERS_Y) >> vec2(corner)) & vec2(1u)) == vec2(1u);
    let unit = vec2<f32>(select(near_low, near_high, is_high)) / vec2<f32>(view.size);
    let position = vec4(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
    let axis = i32(edge >> 1u);
    return Vertex(position, vec2(select(low.y, low.x, axis == 0), axis));
}

@fragment
fn fragment(vertex: Vertex) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(floor(vertex.position.xy));
    if all(pixel >= view.hole.xy) && all(pixel < view.hole.zw) {
        discard;
    }
    let along = select(pixel.y, pixel.x, vertex.start_and_axis.y == 0);
    let position = u32(max(along - vertex.start_and_axis.x, 0));
    if ((style.dash_bits >> (position % style.dash_period)) & 1u) == 0u {
        discard;
    }
    return style.color;
}
