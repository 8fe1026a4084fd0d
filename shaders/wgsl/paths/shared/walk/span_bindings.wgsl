// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: config, path_keys, scene, scene_pairs, spans

// The first bindings of all shaders that walk over spans.

#import path_config

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> spans: array<vec4<u32>>;
// Four words per path.
@group(0) @binding(3) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene, two words at a time.
@group(0) @binding(4) var<storage> scene_pairs: array<vec2<u32>>;
