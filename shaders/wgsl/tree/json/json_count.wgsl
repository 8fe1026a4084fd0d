// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json: replaces the numbers of rows and brackets of each partition by those before it, and
// its effect on the last token by the last token before it. Writes the size of the input of the
// matcher.

#import grid
#import json_config
#import json_groups
#import json_partitions
#import json_tokens
#import json_match

@group(0) @binding(4) var<storage> group_counts: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> begin_bits: array<u32>;
@group(0) @binding(6) var<storage, read_write> match_config: MatchConfig;

// The sums of rows and brackets.
const N_SUMMED = WORKGROUP_SIZE;
alias Summed = vec2<u32>;
#import prefix_sum

fn scan_join(x: u32, y: u32) -> u32 {
    return before_then(x, y);
}

#import ordered_scan

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= max(n_groups(), 1u) {
        return;
    }
    var earlier_counts = vec2(0u);
    var earlier = 0u;
    #repeat i 4
    if N_OWN * local + $i < group {
        let own = group_counts[N_OWN * local + $i];
        earlier_counts += own.xy;
        earlier = before_then(earlier, own.z);
    }
    #endrepeat
    prefix_sum(local, earlier_counts);
    ordered_scan(local, earlier);
    let counts_before_group = prefix_sums[WORKGROUP_SIZE - 1u];
    let token_before_group = before_then(START_BEFORE, scanned_through(WORKGROUP_SIZE - 1u));
    workgroupBarrier();

    let n = n_text_partitions();
    let first = group * GROUP_PARTITIONS + N_OWN * local;
    var items: array<JsonPartition, N_OWN>;
    var own_counts = vec2(0u);
    var effect = 0u;
    #repeat i 4
    if first + $i < n {
        items[$i] = partitions.items[first + $i];
        own_counts += vec2(items[$i].n_rows, items[$i].n_brackets);
        effect = before_then(effect, items[$i].before);
    }
    #endrepeat
    var counts = counts_before_group + prefix_sum(local, own_counts) - own_counts;
    ordered_scan(local, effect);
    var token = token_before_group;
    if local > 0u {
        token = before_then(token_before_group, scanned_through(local - 1u));
    }
    #repeat i 4
    if first + $i < n {
        let own = items[$i];
        partitions.items[first + $i] = JsonPartition(counts.x, counts.y, token, own.error);
        clear_word(counts.y);
        counts += vec2(own.n_rows, own.n_brackets);
        token = before_then(token, own.before);
    }
    #endrepeat
    if local == WORKGROUP_SIZE - 1u && group + 1u >= n_groups() {
        partitions.n_rows = counts.x;
        partitions.n_brackets = counts.y;
        clear_word(counts.y);
        match_config = match_config_of(counts);
    }
}

// Clears the word of `begin_bits` with the first bracket of a partition, or with the end of the
// input: two partitions can have brackets in it.
fn clear_word(bracket: u32) {
    if bracket <= config.capacity {
        begin_bits[bracket / 32u] = 0u;
    }
}

// The brackets and one end, whose match is the innermost bracket that the text leaves open. There
// is nothing to match if there is no room for the rows.
fn match_config_of(counts: vec2<u32>) -> MatchConfig {
    if counts.x > config.capacity {
        return MatchConfig(0u, 0u, 0u, WORKGROUP_SIZE);
    }
    let n_entries = counts.y + 1u;
    let n_match_partitions = (n_entries + MATCH_PARTITION_LENGTH - 1u) / MATCH_PARTITION_LENGTH;
    var n_tree_leaves = WORKGROUP_SIZE;
    // 2^30 entries are 2^17 partitions.
    for (var i = 0u; i < 9u; i++) {
        n_tree_leaves <<= u32(n_tree_leaves < n_match_partitions);
    }
    return MatchConfig(0u, n_entries, n_match_partitions, n_tree_leaves);
}
