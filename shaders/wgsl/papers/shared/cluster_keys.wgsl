// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: CLUSTER_BITS
// provides: cluster_of_key, end_keys

// The keys of entries: the cluster, and below it the upper bits of an end of the box along the
// direction of the cluster.

const LAST_GRID_PLACE = 2097151u;

// The product of a component and the two ends along its axis. Along an axis with a negative
// component, the grid is mirrored.
fn products(component: i32, low: u32, high: u32) -> vec2<u32> {
    let mirrored = LAST_GRID_PLACE - vec2(high, low);
    return u32(abs(component)) * select(vec2(low, high), mirrored, component < 0);
}

// The keys of the smaller and of the larger end. `places` has those of the corners.
fn end_keys(cluster: u32, places: vec4<u32>, direction: vec2<i32>) -> vec2<u32> {
    // At most 2 * 2^10 * (2^21 - 1), which is a u32.
    let ends = products(direction.x, places.x, places.z) + products(direction.y, places.y, places.w);
    return vec2(cluster << (32u - CLUSTER_BITS)) | (ends >> vec2(CLUSTER_BITS));
}

fn cluster_of_key(key: u32) -> u32 {
    return key >> (32u - CLUSTER_BITS);
}
