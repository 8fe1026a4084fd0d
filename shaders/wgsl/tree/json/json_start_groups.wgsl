// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, in texts of several groups of partitions: the effect of each group on the state of
// the lexer.

#import grid
#import json_config
#import json_groups
#import json_state

@group(0) @binding(2) var<storage> states: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> group_states: array<u32>;

alias HeapItem = u32;

fn join_items(left: u32, right: u32) -> u32 {
    return state_then(left, right);
}

#import heap

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= n_groups() {
        return;
    }
    let first = group * GROUP_PARTITIONS + N_OWN * local;
    var state = NO_STATE;
    if first < n_text_partitions() {
        let effects = states[first / 4u];
        #repeat i 4
        if first + $i < n_text_partitions() {
            state = state_then(state, effects[$i]);
        }
        #endrepeat
    }
    build_heap(local, state);
    if local == 0u {
        group_states[group] = heap[1];
    }
}
