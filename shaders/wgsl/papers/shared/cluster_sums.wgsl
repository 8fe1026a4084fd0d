// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: MAX_CLUSTERS, config
// provides: add_to_cluster, add_to_sums, clear_own_sums

// Three sums of 64 bits per cluster. Each workgroup sums up its own boxes, and then adds its sums
// to the sums in storage. A carry is added to the upper word by the same addition that adds the
// upper word, so additions may happen in any order.
//
// The sums are zeros before the dispatch. The next dispatch makes them zeros again.

@group(0) @binding(4) var<storage, read_write> sums: array<atomic<u32>>;

const SUMS_PER_CLUSTER = 3u;

var<workgroup> own_sums: array<atomic<u32>, 2u * SUMS_PER_CLUSTER * MAX_CLUSTERS>;

// A barrier must follow.
fn clear_own_sums(local: u32) {
    #repeat word 6
    if local < MAX_CLUSTERS {
        atomicStore(&own_sums[$word * MAX_CLUSTERS + local], 0u);
    }
    #endrepeat
}

fn add_to_own_sum(at: u32, sum: vec2<u32>) {
    let before = atomicAdd(&own_sums[2u * at], sum.x);
    atomicAdd(&own_sums[2u * at + 1u], sum.y + u32(before + sum.x < before));
}

fn add_to_cluster(cluster: u32, x: vec2<u32>, y: vec2<u32>, z: vec2<u32>) {
    add_to_own_sum(SUMS_PER_CLUSTER * cluster, x);
    add_to_own_sum(SUMS_PER_CLUSTER * cluster + 1u, y);
    add_to_own_sum(SUMS_PER_CLUSTER * cluster + 2u, z);
}

// Adds the own sums, which a barrier must precede.
fn add_to_sums(local: u32) {
    if local >= config.n_clusters {
        return;
    }
    #repeat i 3
    let at$i = SUMS_PER_CLUSTER * local + $i;
    let low$i = atomicLoad(&own_sums[2u * at$i]);
    let high$i = atomicLoad(&own_sums[2u * at$i + 1u]);
    let before$i = atomicAdd(&sums[2u * at$i], low$i);
    atomicAdd(&sums[2u * at$i + 1u], high$i + u32(before$i + low$i < before$i));
    #endrepeat
}
