// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: MAX_PER_INVOCATION, per_invocation

// Workgroups that see all partitions of a scene, one to four adjacent ones per invocation.

#import config
#import grid

const MAX_PER_INVOCATION = 4u;

// A power of two, because the leaves of the tree of unions are a power of two times the size of a
// workgroup.
fn per_invocation() -> u32 {
    return config.n_tree_leaves / WORKGROUP_SIZE;
}
