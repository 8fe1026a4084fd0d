// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, after the matcher: what is around each bracket. The last entry of the matcher is the
// end of the text.

#import grid
#import json_context
#import match_config

@group(0) @binding(0) var<uniform> config: MatchConfig;
@group(0) @binding(1) var<storage> matches: array<i32>;
@group(0) @binding(2) var<storage> brackets: array<u32>;
@group(0) @binding(3) var<storage, read_write> contexts: array<u32>;

// The item of a bracket, or NO_ROW for none.
fn item_of(bracket: i32) -> u32 {
    if bracket < 0 {
        return NO_ROW;
    }
    return brackets[bracket];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    // There is a workgroup for each 256 brackets that there is room for, or fewer: most texts have
    // far fewer brackets than rows.
    let stride = n_workgroups(grid) * WORKGROUP_SIZE;
    for (var i = workgroup_index(grid) * WORKGROUP_SIZE + local; i < config.n_entries; i += stride) {
        link_bracket(i);
    }
}

fn link_bracket(bracket: u32) {
    let others = OTHERS * (arrayLength(&contexts) / 2u);
    let begin = matches[bracket];
    contexts[bracket] = item_of(begin);
    if bracket + 1u == config.n_entries || is_open(brackets[bracket]) {
        return;
    }
    var before_begin = NO_ROW;
    if begin >= 0 {
        before_begin = item_of(matches[begin]);
        contexts[others + u32(begin)] = bracket;
    }
    contexts[others + bracket] = before_begin;
}
