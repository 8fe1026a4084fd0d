// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: EMPTY_KEYS, path_keys

// The box of a path as integers of the same order (`ordered_from_f32`), so that atomics can join
// boxes in any order. These are the keys of EMPTY.
const EMPTY_KEYS = vec4<i32>(0x7f7fffff, 0x7f7fffff, -0x7f800000, -0x7f800000);

@group(0) @binding(7) var<storage, read_write> path_keys: array<vec4<i32>>;
