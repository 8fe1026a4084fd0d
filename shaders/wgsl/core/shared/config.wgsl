// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Config, LG_WORKGROUP_SIZE, WORKGROUP_SIZE, partitions_of

// How large the scene is. boxwood_layout::Config has the same layout.
struct Config {
    n_elements: u32,
    n_nodes: u32,
    // Partitions that the algorithm makes, of entries of the node stream or of elements.
    n_partitions: u32,
    // The leaves of the trees over the partitions of the node stream: 256 times a power of two.
    n_tree_leaves: u32,
}

// Invocations a workgroup, and entries a partition: boxwood_layout::WORKGROUP_SIZE.
const WORKGROUP_SIZE = 256u;
const LG_WORKGROUP_SIZE = 8u;

// How many partitions of 256 n entries make, and how many groups n partitions make.
fn partitions_of(n: u32) -> u32 {
    return (n + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}
