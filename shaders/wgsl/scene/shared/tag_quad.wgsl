// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: draw_tags

// The draw tags of a quad.

@group(0) @binding(1) var<storage> draw_tags: array<vec4<u32>>;
