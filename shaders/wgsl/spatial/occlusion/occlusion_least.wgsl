// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage occlusion, 4 of 5: the least entry of 2^i columns of the levels (0, j), for each i. A
// workgroup has a row of tiles of these levels, invocation x its column x.

#import grid
#import tiles

@group(0) @binding(3) var<storage, read_write> least: array<u32>;

// Two copies, used alternately.
var<workgroup> shared_least: array<u32, 2u * WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid);
    let j = index / config.n_rows;
    let y = index % config.n_rows;
    if j >= config.n_row_levels {
        return;
    }
    var own = 0u;
    if local < config.n_columns {
        own = least[level_row(vec2(0u, j), y) * config.n_columns + local];
    }
    #repeat i 8
    let half = ($i & 1u) * WORKGROUP_SIZE;
    shared_least[half + local] = own;
    workgroupBarrier();
    // Beyond the last column, the entry has no meaning.
    own = min(own, shared_least[half + min(local + (1u << $i), WORKGROUP_SIZE - 1u)]);
    if $i + 1u < config.n_column_levels && local < config.n_columns {
        least[level_row(vec2($i + 1u, j), y) * config.n_columns + local] = own;
    }
    #endrepeat
}
