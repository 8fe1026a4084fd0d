// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Effect, NO_EFFECT, effect_then

// Numbers of brackets.

alias Effect = u32;
const NO_EFFECT = 0u;

fn effect_then(x: u32, y: u32) -> u32 {
    return x + y;
}
