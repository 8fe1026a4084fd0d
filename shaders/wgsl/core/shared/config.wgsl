// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Config, LG_WORKGROUP_SIZE, WORKGROUP_SIZE, partitions_of

// The size of the scene. The Rust struct `Config` has the same layout.
struct Config {
    n_elements: u32,
    n_nodes: u32,
    // The number of partitions. The algorithm decides whether they divide the elements or the node
    // stream.
    n_partitions: u32,
    // The number of leaves of a tree over the partitions: 256 times a power of two.
    n_tree_leaves: u32,
}

// Invocations per workgroup.
const WORKGROUP_SIZE = 256u;
const LG_WORKGROUP_SIZE = 8u;

// The number of partitions of 256 entries for n entries, and the number of groups for n partitions.
fn partitions_of(n: u32) -> u32 {
    return (n + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}
