// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage occlusion, 3 of 5: brings the entries of the levels (0, j) down to level (0, 0), which then
// has the last element that covers each tile. It returns the least of them over 2^j rows for each
// j. A workgroup has a column of tiles, invocation y its row y.

#import grid
#import tiles

// All 0 afterwards, as before the stage.
@group(0) @binding(2) var<storage, read_write> covers: array<u32>;
// The levels (0, j).
@group(0) @binding(3) var<storage, read_write> least: array<u32>;

// Two copies, used alternately.
var<workgroup> shared_covers: array<u32, 2u * WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let x = workgroup_index(grid);
    if x >= config.n_columns {
        return;
    }
    var levels: array<u32, MAX_LEVELS>;
    #repeat j 9
    if $j < config.n_row_levels && local < config.n_rows {
        let at = level_row(vec2(0u, $j), local) * config.n_columns + x;
        levels[$j] = covers[at];
        covers[at] = 0u;
    }
    #endrepeat
    #repeat j 8 down
    // As in the dispatch before, for rows.
    let half = ($j & 1u) * WORKGROUP_SIZE;
    let height = 1u << $j;
    let taller = levels[$j + 1u];
    shared_covers[half + local] = taller;
    workgroupBarrier();
    let above = shared_covers[half + max(local, height) - height];
    levels[$j] = max(levels[$j], max(taller, above));
    #endrepeat
    // The last half that was read is the first one.
    var own = levels[0u];
    #repeat j 9
    if $j < config.n_row_levels && local < config.n_rows {
        least[level_row(vec2(0u, $j), local) * config.n_columns + x] = own;
    }
    let half = (1u - ($j & 1u)) * WORKGROUP_SIZE;
    shared_covers[half + local] = own;
    workgroupBarrier();
    // Beyond the last row, the entry has no meaning.
    own = min(own, shared_covers[half + min(local + (1u << $j), WORKGROUP_SIZE - 1u)]);
    #endrepeat
}
