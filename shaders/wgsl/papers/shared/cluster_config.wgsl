// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: CLUSTER_BITS, ClusterConfig, MAX_CLUSTERS, config

// The sizes of the sweep over clusters. `boxwood::papers::cluster_sweep::ClusterConfig` has the
// same layout.

struct ClusterConfig {
    // The number of items that the buffers have room for. These are boxes, or entries.
    capacity: u32,
    count_word: u32,
    n_clusters: u32,
    // The number of workgroups that sum up shares of the boxes.
    n_shares: u32,
    // Only for entries: the first two for boxes.
    box_capacity: u32,
    box_count_word: u32,
}

@group(0) @binding(0) var<uniform> config: ClusterConfig;

const MAX_CLUSTERS = 64u;

// The upper bits of the key of an entry, which are its cluster.
const CLUSTER_BITS = 6u;
