// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: may_meet, meets

// Which boxes a query finds: those at a point with `at`, those that overlap a rectangle with
// `overlapping`, and those within a rectangle with `within`. A point is in the first two
// components.

// Whether the query can find a box below a node with this box. False for an empty box: nothing lies
// between an end and one that is not larger.
fn may_meet(box: vec4<f32>, asked: vec4<f32>) -> bool {
#ifdef at
    return all(box.xy <= asked.xy) && all(asked.xy < box.zw);
#else
    return all(max(box.xy, asked.xy) < min(box.zw, asked.zw));
#endif
}

// Whether a box for which `may_meet` is true is found.
fn meets(box: vec4<f32>, asked: vec4<f32>) -> bool {
#ifdef within
    return all(asked.xy <= box.xy) && all(box.zw <= asked.zw);
#else
    return true;
#endif
}
