// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets: the state before each partition. The text has no errors yet.

#import grid
#import text_config
#import text_groups
#import bracket_effects
#import bracket_summary

@group(0) @binding(4) var<storage> effects: array<vec2<u32>>;
@group(0) @binding(5) var<storage> group_effects: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> states: array<u32>;

#import effect_before

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= max(n_groups(), 1u) {
        return;
    }
    let n = n_text_partitions();
    let first = group * GROUP_PARTITIONS + N_OWN * local;
    var own = NO_EFFECT;
    #repeat i 4
    if first + $i < n {
        own = effect_then(own, effects[first + $i]);
    }
    #endrepeat
    // Every text begins in state 0.
    var state = state_after(effect_before(local, group, own), 0u);
    #repeat i 4
    if first + $i < n {
        states[first + $i] = state;
        state = state_after(effects[first + $i], state);
    }
    #endrepeat
    if local == WORKGROUP_SIZE - 1u && group + 1u >= n_groups() {
        summary.state = state;
        #repeat i 3
        atomicStore(&summary.first_errors[$i], NO_ERROR);
        #endrepeat
    }
}
