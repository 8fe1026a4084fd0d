// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Outlines of boxes, one device pixel wide, drawn straight from the buffers of the stage.
//
// An instance is a box, and has 24 vertices: four edges of two triangles each. The buffers of boxes and of draw tags or
// nodes are bound as vertex buffers, so nothing is copied and nothing is read back. Every edge is a rectangle of whole
// pixels, without antialiasing, and so the same on every adapter. `lines.rs` of boxwood_view is the same rule on the
// CPU.

#import node

struct View {
    // The point of the scene at the origin of the picture, as a sum: a difference to it keeps its precision.
    origin_high: vec2<f32>,
    origin_low: vec2<f32>,
    // Device pixels a scene unit.
    scale: f32,
    // How far from the picture, in scene units, edges are still told apart.
    reach: f32,
    // Of the picture, in device pixels.
    size: vec2<i32>,
    // Rectangles where the overlay leaves the picture alone: x0, y0, x1, y1 in device pixels, half-open.
    holes: array<vec4<i32>, 2>,
}

struct Style {
    color: vec4<f32>,
    // Bit i says whether pixel i of each `dash_period` pixels along an edge is drawn.
    dash_bits: u32,
    dash_period: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> style: Style;

struct Vertex {
    @builtin(position) position: vec4<f32>,
    // The pixel at which the edge's dash begins, and 0 where the edge runs along x, 1 along y.
    @location(0) @interpolate(flat) start_and_axis: vec2<i32>,
}

// How far, in device pixels, a box may reach into a pixel that its outline leaves out.
const SNAP = 0.00390625;

// The triangles of an edge, as bits of the x and of the y of their corners.
const CORNERS_X = 0x32u;
const CORNERS_Y = 0x2cu;

fn device(point: vec2<f32>) -> vec2<f32> {
    let offset = point - view.origin_high - view.origin_low;
    return clamp(offset, vec2(-view.reach), vec2(view.reach)) * view.scale;
}

fn hidden() -> Vertex {
    return Vertex(vec4(2.0, 2.0, 0.0, 1.0), vec2(0, 0));
}

fn outline(scene_box: vec4<f32>, index: u32) -> Vertex {
    if scene_box.x >= scene_box.z || scene_box.y >= scene_box.w {
        return hidden();
    }
    // The outermost pixels that the box touches.
    let low = vec2<i32>(floor(device(scene_box.xy) + SNAP));
    let high = max(vec2<i32>(ceil(device(scene_box.zw) - SNAP)) - 1, low);

    let edge = index / 6u;
    let axis = i32(edge >> 1u);
    var first = low;
    var last = high;
    switch edge {
        case 0u: {
            last.y = low.y;
        }
        case 1u: {
            first.y = high.y;
        }
        case 2u: {
            last.x = low.x;
        }
        default: {
            first.x = high.x;
        }
    }
    // What is outside the picture stays outside, but near, where rasterisers are exact.
    let near_low = clamp(first, vec2(-2), view.size + 1);
    let near_high = clamp(last + 1, vec2(-1), view.size + 2);
    let corner = index % 6u;
    let pixel = vec2(
        select(near_low.x, near_high.x, ((CORNERS_X >> corner) & 1u) == 1u),
        select(near_low.y, near_high.y, ((CORNERS_Y >> corner) & 1u) == 1u),
    );
    let unit = vec2<f32>(pixel) / vec2<f32>(view.size);
    let position = vec4(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
    return Vertex(position, vec2(select(low.y, low.x, axis == 0), axis));
}

// One instance an element; the leaves are drawn.
@vertex
fn leaf_outline(
    @location(0) scene_box: vec4<f32>,
    @location(1) draw_tag: u32,
    @builtin(vertex_index) index: u32,
) -> Vertex {
    if draw_tag == TAG_NOP || draw_tag == TAG_BEGIN || draw_tag == TAG_END {
        return hidden();
    }
    return outline(scene_box, index);
}

// One instance an entry of the node stream; the begins are drawn.
@vertex
fn node_outline(
    @location(0) scene_box: vec4<f32>,
    @location(1) node: i32,
    @builtin(vertex_index) index: u32,
) -> Vertex {
    if !node_is_begin(node) {
        return hidden();
    }
    return outline(scene_box, index);
}

fn is_in(pixel: vec2<i32>, hole: vec4<i32>) -> bool {
    return all(pixel >= hole.xy) && all(pixel < hole.zw);
}

@fragment
fn fragment(vertex: Vertex) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(floor(vertex.position.xy));
    if is_in(pixel, view.holes[0]) || is_in(pixel, view.holes[1]) {
        discard;
    }
    let along = select(pixel.y, pixel.x, vertex.start_and_axis.y == 0);
    let position = u32(max(along - vertex.start_and_axis.x, 0));
    if ((style.dash_bits >> (position % style.dash_period)) & 1u) == 0u {
        discard;
    }
    return style.color;
}
