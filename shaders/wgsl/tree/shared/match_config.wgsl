// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORKGROUP_SIZE
// provides: MATCH_PARTITION_LENGTH, MatchConfig, match_config_of

// The size of the input of the matcher, with the layout of `Config`.

struct MatchConfig {
    n_elements: u32,
    n_entries: u32,
    n_partitions: u32,
    n_tree_leaves: u32,
}

// The entries of a partition of the matcher.
const MATCH_PARTITION_LENGTH = 8192u;

// The brackets of a text and one end, whose match is the innermost bracket that the text leaves
// open. There is nothing to match if there is no room for the rows.
fn match_config_of(n_rows: u32, capacity: u32, n_brackets: u32) -> MatchConfig {
    if n_rows > capacity {
        return MatchConfig(0u, 0u, 0u, WORKGROUP_SIZE);
    }
    let n_entries = n_brackets + 1u;
    let n_match_partitions = (n_entries + MATCH_PARTITION_LENGTH - 1u) / MATCH_PARTITION_LENGTH;
    var n_tree_leaves = WORKGROUP_SIZE;
    // 2^30 entries are 2^17 partitions.
    for (var i = 0u; i < 9u; i++) {
        n_tree_leaves <<= u32(n_tree_leaves < n_match_partitions);
    }
    return MatchConfig(0u, n_entries, n_match_partitions, n_tree_leaves);
}
