// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets: replaces the number of brackets of each partition by the number before it. Writes
// the size of the input of the matcher.

#import grid
#import text_config
#import text_groups
#import bracket_counts
#import bracket_summary
#import match_config

@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
@group(0) @binding(5) var<storage> group_effects: array<u32>;
@group(0) @binding(6) var<storage, read_write> match_config: MatchConfig;

#import effect_before

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= max(n_groups(), 1u) {
        return;
    }
    let n = n_text_partitions();
    let first = group * GROUP_PARTITIONS + N_OWN * local;
    var own_counts: array<u32, N_OWN>;
    var own = 0u;
    #repeat i 4
    if first + $i < n {
        own_counts[$i] = counts[first + $i];
        own += own_counts[$i];
    }
    #endrepeat
    var before = effect_before(local, group, own);
    #repeat i 4
    if first + $i < n {
        counts[first + $i] = before;
        before += own_counts[$i];
    }
    #endrepeat
    if local == WORKGROUP_SIZE - 1u && group + 1u >= n_groups() {
        summary.n_rows = before;
        match_config = match_config_of(before, config.capacity, before);
    }
}
