// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: before_then, partitions
// provides: Effect, NO_EFFECT, effect_of, effect_then

// The numbers of rows and brackets of a part of the text, and its effect on the last token.

alias Effect = vec3<u32>;
const NO_EFFECT = vec3(0u, 0u, 0u);

fn effect_then(x: vec3<u32>, y: vec3<u32>) -> vec3<u32> {
    return vec3(x.xy + y.xy, before_then(x.z, y.z));
}

fn effect_of(part: u32) -> vec3<u32> {
    let own = partitions.items[part];
    return vec3(own.n_rows, own.n_brackets, own.before);
}
