// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: NetworkStage
// provides: comparator

// Batcher's odd-even merge sort.

// The wires of comparator c, the lower first. Both are 0 if the stage has no such comparator.
fn comparator(stage: NetworkStage, c: u32) -> vec2<u32> {
    let distance = stage.distance;
    let lower = (distance & (stage.merged - 1u)) + 2u * (c & ~(distance - 1u)) + (c & (distance - 1u));
    let upper = lower + distance;
    let is_in_one_merge = ((lower ^ upper) & ~(2u * stage.merged - 1u)) == 0u;
    return select(vec2(0u), vec2(lower, upper), is_in_one_merge);
}
