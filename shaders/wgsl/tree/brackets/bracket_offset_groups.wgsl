// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets, in texts of several groups of partitions: the number of brackets of each group.

#import grid
#import text_config
#import text_groups
#import bracket_counts

@group(0) @binding(4) var<storage> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> group_effects: array<u32>;

fn effect_of(part: u32) -> u32 {
    return counts[part];
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
