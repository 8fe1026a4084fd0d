// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: GROUP_PARTITIONS, N_OWN, n_groups

// Groups of partitions, for scans over partitions: a workgroup has a group, and an invocation four
// partitions of it. The first of two dispatches computes the result of each group. In the second,
// each workgroup joins the results of the groups before its own, four per invocation, and then
// scans its partitions. Texts of one group need the second dispatch alone.
//
// A text of 2^32 bytes has 515 groups.

#import grid
#import text_config

const N_OWN = 4u;
const GROUP_PARTITIONS = N_OWN * WORKGROUP_SIZE;

fn n_groups() -> u32 {
    return (n_text_partitions() + GROUP_PARTITIONS - 1u) / GROUP_PARTITIONS;
}
