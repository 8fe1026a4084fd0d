// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: NetworkStage
// provides: comparator

// Batcher's bitonic sort. The first stage of each merge mirrors the second run, so that every
// comparator puts the smaller item first.

// The wires of comparator c, the lower first.
fn comparator(stage: NetworkStage, c: u32) -> vec2<u32> {
    let distance = stage.distance;
    let offset = c & (distance - 1u);
    let first = 2u * (c - offset);
    let mirrored = select(offset, distance - 1u - offset, distance == stage.merged);
    return vec2(first + offset, first + distance + mirrored);
}
