// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused in many levels, one round of pointer jumping from group to group. After round r,
// the clip box of a partition contains LINKS_PER_ROUND^r links that lead out of a group.

#import aabb
#import config
#import enclosing
#import grid
#import jump

@group(0) @binding(1) var<storage> enclosing_before: array<Enclosing>;
@group(0) @binding(2) var<storage, read_write> enclosing_after: array<Enclosing>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if part >= config.n_partitions {
        return;
    }
    var own = enclosing_before[part];
    for (var n_links = 1u; n_links < LINKS_PER_ROUND && own.link >= 0; n_links++) {
        let next = enclosing_before[own.link];
        own = Enclosing(meet(next.clip_box, own.clip_box), next.link);
    }
    enclosing_after[part] = own;
}
