// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json: replaces the numbers of rows and brackets of each partition by those before it, and
// its effect on the last token by the last token before it. Writes the size of the input of the
// matcher.

#import grid
#import text_config
#import text_groups
#import json_partitions
#import json_tokens
#import json_counts
#import match_config

@group(0) @binding(4) var<storage> group_effects: array<vec3<u32>>;
@group(0) @binding(5) var<storage, read_write> begin_bits: array<u32>;
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
    var effects: array<vec3<u32>, N_OWN>;
    var own = NO_EFFECT;
    #repeat i 4
    if first + $i < n {
        effects[$i] = effect_of(first + $i);
        own = effect_then(own, effects[$i]);
    }
    #endrepeat
    var before = effect_then(vec3(0u, 0u, START_BEFORE), effect_before(local, group, own));
    #repeat i 4
    if first + $i < n {
        partitions.items[first + $i].n_rows = before.x;
        partitions.items[first + $i].n_brackets = before.y;
        partitions.items[first + $i].before = before.z;
        clear_word(before.y);
        before = effect_then(before, effects[$i]);
    }
    #endrepeat
    if local == WORKGROUP_SIZE - 1u && group + 1u >= n_groups() {
        partitions.n_rows = before.x;
        partitions.n_brackets = before.y;
        clear_word(before.y);
        match_config = match_config_of(before.x, config.capacity, before.y);
    }
}

// Clears the word of `begin_bits` with the first bracket of a partition, or with the end of the
// input: two partitions can have brackets in it.
fn clear_word(bracket: u32) {
    if bracket <= config.capacity {
        begin_bits[bracket / 32u] = 0u;
    }
}
