// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: EMPTY, LARGEST, PLANE, canonical, join, meet

// Axis-aligned boxes as vec4(x0, y0, x1, y1), half-open. `boxwood_cpu::Aabb` states their algebra.
// Coordinates are finite, because WGSL allows an implementation to assume that there is no infinity
// and no NaN.

const LARGEST = 0x1.fffffep+127f;

// The identity of union, absorbing under intersection.
const EMPTY = vec4<f32>(LARGEST, LARGEST, -LARGEST, -LARGEST);

// The identity of intersection.
const PLANE = vec4<f32>(-LARGEST, -LARGEST, LARGEST, LARGEST);

// The intersection. The result may be inverted, and must pass through canonical() before a union.
fn meet(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(max(a.xy, b.xy), min(a.zw, b.zw));
}

// The box itself if it has area, otherwise EMPTY.
fn canonical(a: vec4<f32>) -> vec4<f32> {
    if a.x >= a.z || a.y >= a.w {
        return EMPTY;
    }
    return a;
}

// The union of two canonical boxes.
fn join(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(min(a.xy, b.xy), max(a.zw, b.zw));
}
