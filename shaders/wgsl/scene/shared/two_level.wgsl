// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: MAX_PARTITIONS_PER_INVOCATION, partitions_per_invocation

// Workgroups that see all partitions of a scene: one, two, or four adjacent ones per invocation.

#import config
#import grid

const MAX_PARTITIONS_PER_INVOCATION = 4u;

// A power of two, because the number of leaves of the tree of unions is WORKGROUP_SIZE times a
// power of two.
fn partitions_per_invocation() -> u32 {
    return config.n_tree_leaves / WORKGROUP_SIZE;
}
