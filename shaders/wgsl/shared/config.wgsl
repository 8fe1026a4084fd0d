// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How large the scene is. boxwood_layout::Config has the same layout.
struct Config {
    n_elements: u32,
    n_nodes: u32,
    n_element_partitions: u32,
    padding: u32,
}

// Invocations a workgroup, and entries a partition: boxwood_layout::WORKGROUP_SIZE.
const WORKGROUP_SIZE = 256u;
const LG_WORKGROUP_SIZE = 8u;
