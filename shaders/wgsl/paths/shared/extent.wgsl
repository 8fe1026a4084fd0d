// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: path_keys
// provides: ExtentBounds, N_SIDES, add_extent, add_extents, extents_of, keys_of

// The *extent* of a shape on a side of its box is its largest coordinate in the outward direction.
// The sides are left, top, right, and bottom, so the four extents are (-x0, -y0, x1, y1). The
// extents of a union are the maxima.
//
// A side is a number: bit 0 is the axis, and bit 1 is set at the upper end.

#import aabb

const N_SIDES = 4u;

// Bounds of four extents.
struct ExtentBounds {
    at_least: vec4<f32>,
    at_most: vec4<f32>,
}

// The keys of coordinates. Compilers may ignore the sign of 0, so both zeros have the same key.
fn keys_of(v: vec4<f32>) -> vec4<i32> {
    let keys = ordered_from_f32(v);
    return select(keys, vec4(0), keys == vec4(-1));
}

// The extents of a point, or of a vector from a point.
fn extents_of(v: vec2<f32>) -> vec4<f32> {
    return vec4(-v, v);
}

// Adds an extent on one side to the box of a path.
fn add_extent(path: u32, side: u32, extent: f32) {
    let key = N_SIDES * path + side;
    if (side & 2u) == 0u {
        atomicMin(&path_keys[key], keys_of(vec4(-extent)).x);
    } else {
        atomicMax(&path_keys[key], keys_of(vec4(extent)).x);
    }
}

// Adds extents to the box of a path. -LARGEST stands for none.
fn add_extents(path: u32, extents: vec4<f32>) {
    #repeat side 4
        if extents[$side] != -LARGEST {
            add_extent(path, $side, extents[$side]);
        }
    #endrepeat
}
