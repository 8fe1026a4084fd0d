// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Grid, LG_WORKGROUP_SIZE, WORKGROUP_SIZE, n_workgroups, partitions_of, workgroup_index

// The size of a workgroup, the workgroups of a dispatch, and the number of them that n items need.

// Invocations per workgroup.
const WORKGROUP_SIZE = 256u;
const LG_WORKGROUP_SIZE = 8u;

// The workgroups of a dispatch. A dispatch of more workgroups than one dimension allows has two
// dimensions, and perhaps a few workgroups too many in the last row. The local index of an
// invocation must stay out of this structure: browsers treat all members as non-uniform if one is.
struct Grid {
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) size: vec3<u32>,
}

fn workgroup_index(grid: Grid) -> u32 {
    return grid.workgroup.y * grid.size.x + grid.workgroup.x;
}

fn n_workgroups(grid: Grid) -> u32 {
    return grid.size.x * grid.size.y;
}

// The number of partitions of 256 entries for n entries, and the number of groups for n partitions.
fn partitions_of(n: u32) -> u32 {
    return (n + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}
