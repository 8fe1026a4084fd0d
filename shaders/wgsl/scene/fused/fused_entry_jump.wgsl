// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused in many levels, one round of pointer jumping from group to group. After round r, an
// entry contains LINKS_PER_ROUND^r links that lead out of a group.

#import aabb
#import config
#import entry
#import grid
#import jump

@group(0) @binding(1) var<storage> entries_before: array<PartitionEntry>;
@group(0) @binding(2) var<storage, read_write> entries_after: array<PartitionEntry>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if part >= config.n_partitions {
        return;
    }
    var entry = entries_before[part];
    for (var n_links = 1u; n_links < LINKS_PER_ROUND && entry.link >= 0; n_links++) {
        let next = entries_before[entry.link];
        entry = PartitionEntry(meet(next.clip_box, entry.clip_box), next.link);
    }
    entries_after[part] = entry;
}
