// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: BOXES_PER_ROUND, boxes, share_of

// The shares of the boxes, each of which one workgroup streams for a query.

@group(0) @binding(8) var<storage> box_counts: array<u32>;
@group(0) @binding(9) var<storage> boxes: array<vec4<f32>>;

// The number of boxes that an invocation loads at once.
const BOXES_PER_ROUND = 8u;

// The first box of a share, and the box after its last one.
fn share_of(share: u32) -> vec2<u32> {
    let n = min(box_counts[config.box_count_word], config.box_capacity);
    let length = (n + config.n_shares - 1u) / config.n_shares;
    let first = min(share * length, n);
    return vec2(first, min(first + length, n));
}
