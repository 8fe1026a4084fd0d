// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stream reduction in blocks, the last step as the source has it: a render pass draws each reduced
// block as a line into a texture. Only the ends of a line are moved; the rasterizer finds the
// places between. Roger, Assarsson, Holzschuch 2007, "Line drawing".
//
// An instance is a block. It has two segments, because a block may continue in the next row of the
// texture ("Split all segments in two"). A row is not shorter than a block.

#import reduced_blocks
#import reduction_config

@group(0) @binding(2) var<storage> reduced: array<u32>;

struct Vertex {
    @builtin(position) position: vec4<f32>,
    // The number of kept items before the block, and the first item of the reduced block.
    @location(0) @interpolate(flat) n_before: u32,
    @location(1) @interpolate(flat) first: u32,
}

// A segment from pixel a to pixel b, exclusive, goes from a + 1/4 to b + 1/4. It covers the centers
// at a + 1/2 to b - 1/2, which is the rule for lines drawn as rectangles. It leaves the diamonds
// around the same centers, and ends inside of the next one, which is the rule for other lines.
const END_OFFSET = 0.25;

@vertex
fn segments(@builtin(vertex_index) index: u32, @builtin(instance_index) block: u32) -> Vertex {
    let before = n_before(block);
    let end = sums[block];
    let first_row = before / config.width;
    let border = (first_row + 1u) * config.width;
    let row = first_row + index / 2u;
    // The second segment is empty if the block ends in its first row.
    let low = select(before, border, row > first_row);
    let high = select(min(end, border), max(end, border), row > first_row);
    let place = select(low, high, index % 2u == 1u) - row * config.width;
    let pixel = vec2(f32(place) + END_OFFSET, f32(row) + 0.5);
    let unit = pixel / vec2(f32(config.width), f32(config.height));
    // All vertices of an empty segment are at one point outside the texture.
    let position = select(vec2(2.0), vec2(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0), low < high);
    return Vertex(vec4(position, 0.0, 1.0), before, block * config.block_length);
}

@fragment
fn fragment(vertex: Vertex) -> @location(0) u32 {
    let pixel = vec2<u32>(vertex.position.xy);
    return reduced[vertex.first + pixel.y * config.width + pixel.x - vertex.n_before];
}
