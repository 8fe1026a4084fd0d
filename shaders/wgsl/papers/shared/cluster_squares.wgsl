// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: MAX_CLUSTERS
// provides: centers, load_means, offset_from, square_of

// The squared distances of centers to the means of clusters.

#import cluster_points

@group(0) @binding(2) var<storage> centers: array<u32>;
@group(0) @binding(3) var<storage> means: array<u32>;

var<workgroup> own_means: array<vec2<i32>, MAX_CLUSTERS>;

// A barrier must follow.
fn load_means(local: u32) {
    if local < MAX_CLUSTERS {
        own_means[local] = point_of(means[local]);
    }
}

fn offset_from(cluster: u32, point: vec2<i32>) -> vec2<i32> {
    return point - own_means[cluster];
}

// It is less than 2^31, and at least 1, so that no number is divided by 0.
fn square_of(offset: vec2<i32>) -> u32 {
    return max(u32(offset.x * offset.x + offset.y * offset.y), 1u);
}
