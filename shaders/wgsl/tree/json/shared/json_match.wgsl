// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: MATCH_PARTITION_LENGTH, MatchConfig

// The size of the input of the matcher, with the layout of `Config`.

struct MatchConfig {
    n_elements: u32,
    n_entries: u32,
    n_partitions: u32,
    n_tree_leaves: u32,
}

// The entries of a partition of the matcher.
const MATCH_PARTITION_LENGTH = 8192u;
