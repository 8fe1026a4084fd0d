// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json: replaces the effect of each partition on the state of the lexer by the state before
// it.

#import grid
#import text_config
#import text_groups
#import json_state
#import json_partitions

@group(0) @binding(2) var<storage, read_write> states: array<u32>;
@group(0) @binding(4) var<storage> group_effects: array<u32>;

alias Effect = u32;
const NO_EFFECT = NO_STATE;

fn effect_then(x: u32, y: u32) -> u32 {
    return state_then(x, y);
}

#import effect_before

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= max(n_groups(), 1u) {
        return;
    }
    let n = n_text_partitions();
    let first = group * GROUP_PARTITIONS + N_OWN * local;
    var effects: array<u32, N_OWN>;
    var own = NO_STATE;
    // The effects after the last partition are those of an earlier, longer text.
    #repeat i 4
    if first + $i < n {
        effects[$i] = states[first + $i];
        own = state_then(own, effects[$i]);
    }
    #endrepeat
    var state = state_then(START_STATE, effect_before(local, group, own));
    #repeat i 4
    if first + $i < n {
        states[first + $i] = state;
        state = state_then(state, effects[$i]);
    }
    #endrepeat
    if local == WORKGROUP_SIZE - 1u && group + 1u >= n_groups() {
        atomicStore(&partitions.first_error, NO_ERROR);
        partitions.ends_in_string = u32(is_in_string(state));
    }
}
