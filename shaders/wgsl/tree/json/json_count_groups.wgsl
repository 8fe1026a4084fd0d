// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, in texts of several groups of partitions: the numbers of rows and brackets of each
// group, and its effect on the last token.

#import grid
#import text_config
#import text_groups
#import json_partitions
#import json_tokens
#import json_counts

@group(0) @binding(4) var<storage, read_write> group_effects: array<vec3<u32>>;

#import group_effect

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= n_groups() {
        return;
    }
    write_group_effect(local, group);
}
