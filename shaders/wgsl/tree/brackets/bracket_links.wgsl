// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets, after the matcher: the parent and the partner of each bracket, and the first
// bracket that closes nothing or another kind.

#import grid
#import entry
#import match_config
#import bracket_roles
#import bracket_reasons
#import bracket_summary

@group(0) @binding(0) var<uniform> config: MatchConfig;
@group(0) @binding(1) var<storage> matches: array<i32>;
@group(0) @binding(2) var<storage> roles: array<u32>;
@group(0) @binding(4) var<storage> positions: array<u32>;
@group(0) @binding(5) var<storage, read_write> links: array<EntryLink>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let stride = n_workgroups(grid) * WORKGROUP_SIZE;
    for (var i = workgroup_index(grid) * WORKGROUP_SIZE + local; i + 1u < config.n_entries; i += stride) {
        link_bracket(i);
    }
}

fn link_bracket(bracket: u32) {
    let begin = matches[bracket];
    if is_open(roles[bracket]) {
        // Its end writes the partner.
        links[bracket].parent = begin;
        return;
    }
    if begin < 0 {
        keep_error(UNOPENED, positions[bracket]);
        return;
    }
    links[bracket] = EntryLink(matches[begin], begin);
    links[begin].partner = i32(bracket);
    if kind_of_role(roles[begin]) != kind_of_role(roles[bracket]) {
        keep_error(MISMATCHED, positions[bracket]);
    }
}
