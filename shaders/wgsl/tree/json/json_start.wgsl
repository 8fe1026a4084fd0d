// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json: replaces the effect of each partition on the state of the lexer by the state before
// it.

#import grid
#import json_config
#import json_groups
#import json_state
#import json_partitions

@group(0) @binding(2) var<storage, read_write> states: array<vec4<u32>>;
@group(0) @binding(4) var<storage> group_states: array<u32>;

fn scan_join(x: u32, y: u32) -> u32 {
    return state_then(x, y);
}

#import ordered_scan

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= max(n_groups(), 1u) {
        return;
    }
    var earlier = NO_STATE;
    #repeat i 4
    if N_OWN * local + $i < group {
        earlier = state_then(earlier, group_states[N_OWN * local + $i]);
    }
    #endrepeat
    ordered_scan(local, earlier);
    let before_group = state_then(START_STATE, scanned_through(WORKGROUP_SIZE - 1u));
    workgroupBarrier();

    let n = n_text_partitions();
    let first = group * GROUP_PARTITIONS + N_OWN * local;
    var effects = vec4(NO_STATE);
    if first < n {
        effects = states[first / 4u];
    }
    var own = NO_STATE;
    // The effects after the last partition are those of an earlier, longer text.
    #repeat i 4
    if first + $i < n {
        own = state_then(own, effects[$i]);
    }
    #endrepeat
    ordered_scan(local, own);
    var state = before_group;
    if local > 0u {
        state = state_then(before_group, scanned_through(local - 1u));
    }
    if first < n {
        var states_before = vec4(0u);
        #repeat i 4
        states_before[$i] = state;
        if first + $i < n {
            state = state_then(state, effects[$i]);
        }
        #endrepeat
        states[first / 4u] = states_before;
    }
    if local == WORKGROUP_SIZE - 1u && group + 1u >= n_groups() {
        atomicStore(&partitions.first_error, NO_ERROR);
        partitions.ends_in_string = u32(is_in_string(state));
    }
}
