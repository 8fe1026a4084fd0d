// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Draws the triangles of egui, plain or textured.
//
// Each fragment shader samples at most once and has no branch, because software adapters execute
// both sides of a branch. It samples level 0 explicitly, so that no derivatives are needed.

// The size of the screen in points of egui.
@group(0) @binding(0) var<uniform> screen_size: vec2<f32>;
@group(0) @binding(1) var mesh_texture: texture_2d<f32>;
@group(0) @binding(2) var mesh_sampler: sampler;

struct Vertex {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    // Premultiplied, and not linear.
    @location(1) color: vec4<f32>,
}

@vertex
fn place(
    @location(0) point: vec2<f32>,
    @location(1) uv: vec2<f32>,
    @location(2) color: vec4<f32>,
) -> Vertex {
    let unit = point / screen_size;
    return Vertex(vec4(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0), uv, color);
}

// For triangles whose vertices all have the UV of the white texel. On a software adapter, sampling
// takes half of the time of a pass.
@fragment
fn plain(vertex: Vertex) -> @location(0) vec4<f32> {
    return vertex.color;
}

@fragment
fn textured(vertex: Vertex) -> @location(0) vec4<f32> {
    return vertex.color * textureSampleLevel(mesh_texture, mesh_sampler, vertex.uv, 0.0);
}
