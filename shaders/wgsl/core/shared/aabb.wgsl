// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: EMPTY, LARGEST, PLANE, canonical, f32_from_ordered, is_empty, join, meet, ordered_from_f32

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

// Whether a box has no area: an inverted one, one without width or height, or EMPTY.
fn is_empty(a: vec4<f32>) -> bool {
    return a.x >= a.z || a.y >= a.w;
}

// The box itself if it has area, otherwise EMPTY.
fn canonical(a: vec4<f32>) -> vec4<f32> {
    if is_empty(a) {
        return EMPTY;
    }
    return a;
}

// The union of two canonical boxes.
fn join(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(min(a.xy, b.xy), max(a.zw, b.zw));
}

// f32 values as i32 values with the same order, so that integer atomics can compute their minimum
// and maximum. The map is its own inverse on the bits, and correct for all finite values.
fn ordered_from_f32(value: vec4<f32>) -> vec4<i32> {
    let bits = bitcast<vec4<i32>>(value);
    return select(bits, bits ^ vec4(0x7fffffff), bits < vec4(0));
}

fn f32_from_ordered(key: vec4<i32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(select(key, key ^ vec4(0x7fffffff), key < vec4(0)));
}
