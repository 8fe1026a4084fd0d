// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: path_keys
// provides: N_WAYS, ReachBounds, UNBOUNDED, join_way, keys_of, reach_along

// A *reach* is how far something goes one way: -x, -y, x, y, in this order, so that a box is the four reaches (-x0, -y0, x1, y1),
// and to join boxes is to take the maximum of each.

#import ordered

// Which way: the axis in the low bit, and whether it is upwards.
const N_WAYS = 4u;

// Bounds of the four reaches.
struct ReachBounds {
    at_least: vec4<f32>,
    at_most: vec4<f32>,
}

// Numbers of this magnitude or more, as bits, are not bounded. Below it nothing is out of range, and what counts as 0 is next to
// nothing.
const UNBOUNDED = 0x4d800000u;

// The keys of what is so far along each axis. Compilers care little for the sign of 0; keys have one 0.
fn keys_of(v: vec4<f32>) -> vec4<i32> {
    let keys = ordered_from_f32(v);
    return select(keys, vec4(0), keys == vec4(-1));
}

// Something beside a point, or a point, as it goes each way.
fn reach_along(v: vec2<f32>) -> vec4<f32> {
    return vec4(-v, v);
}

// Joins how far something goes one way to its path.
fn join_way(path: u32, way: u32, reach: f32) {
    let key = N_WAYS * path + way;
    if (way & 2u) == 0u {
        atomicMin(&path_keys[key], keys_of(vec4(-reach)).x);
    } else {
        atomicMax(&path_keys[key], keys_of(vec4(reach)).x);
    }
}
