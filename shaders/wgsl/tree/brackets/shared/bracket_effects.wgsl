// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Effect, NO_EFFECT, effect_then, state_after

// The effect of a part of the text on the state: for each state before it, four bits with the state
// after it.
//
// Source: Ladner and Fischer, *Parallel Prefix Computation*, 1980, section 3.

alias Effect = vec2<u32>;
const NO_EFFECT = vec2(0x76543210u, 0xfedcba98u);

fn state_after(effect: vec2<u32>, state: u32) -> u32 {
    return (select(effect.y, effect.x, state < 8u) >> (4u * (state % 8u))) & 15u;
}

// The effect of x and then y.
fn effect_then(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    var effect = vec2(0u);
    #repeat i 8
    effect.x |= state_after(y, (x.x >> (4u * $i)) & 15u) << (4u * $i);
    effect.y |= state_after(y, (x.y >> (4u * $i)) & 15u) << (4u * $i);
    #endrepeat
    return effect;
}
