// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, in texts of several groups of partitions: the effect of each group on the state of
// the lexer.

#import grid
#import text_config
#import text_groups
#import json_state

@group(0) @binding(2) var<storage> states: array<u32>;
@group(0) @binding(3) var<storage, read_write> group_effects: array<u32>;

alias Effect = u32;
const NO_EFFECT = NO_STATE;

fn effect_then(x: u32, y: u32) -> u32 {
    return state_then(x, y);
}

fn effect_of(part: u32) -> u32 {
    return states[part];
}

#import group_effect

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= n_groups() {
        return;
    }
    write_group_effect(local, group);
}
