// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Config, config

// The size of the scene. The Rust struct `Config` has the same layout.
struct Config {
    n_elements: u32,
    n_entries: u32,
    // The number of partitions. The algorithm decides whether they divide the elements or the node
    // stream.
    n_partitions: u32,
    // The number of leaves of a tree over the partitions: 256 times a power of two.
    n_tree_leaves: u32,
}

@group(0) @binding(0) var<uniform> config: Config;
