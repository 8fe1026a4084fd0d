// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: NO_INK

// Boxes as integers of the same order, see `ordered`, so that atomics can join them: their order does not matter.

// The key of EMPTY.
const NO_INK = vec4<i32>(0x7f7fffff, 0x7f7fffff, -0x7f800000, -0x7f800000);
