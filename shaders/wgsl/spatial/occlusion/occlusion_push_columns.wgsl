// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage occlusion, 2 of 5: brings the entries of the levels (i, j) down to the levels (0, j). A
// workgroup has a row of tiles of these levels, invocation x its column x.

#import grid
#import tiles

@group(0) @binding(2) var<storage, read_write> covers: array<u32>;

// Two copies, used alternately.
var<workgroup> shared_covers: array<u32, 2u * WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid);
    let j = index / config.n_rows;
    let y = index % config.n_rows;
    if j >= config.n_row_levels {
        return;
    }
    // Loads before the first use are in flight at the same time.
    var levels: array<u32, MAX_LEVELS>;
    #repeat i 9
    if $i < config.n_column_levels && local < config.n_columns {
        levels[$i] = covers[level_row(vec2($i, j), y) * config.n_columns + local];
    }
    #endrepeat
    #repeat i 8 down
    // An entry of level i + 1 stands for two of level i. The first columns also get the entry of
    // column 0, which stands for them anyway.
    let half = ($i & 1u) * WORKGROUP_SIZE;
    let width = 1u << $i;
    let wider = levels[$i + 1u];
    shared_covers[half + local] = wider;
    workgroupBarrier();
    let left = shared_covers[half + max(local, width) - width];
    levels[$i] = max(levels[$i], max(wider, left));
    #endrepeat
    #repeat i 9
    if $i < config.n_column_levels && local < config.n_columns {
        covers[level_row(vec2($i, j), y) * config.n_columns + local] = select(0u, levels[$i], $i == 0u);
    }
    #endrepeat
}
