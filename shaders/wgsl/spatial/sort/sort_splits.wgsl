// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Adaptive bitonic sort, 1 of 2 in each pass: the number of items of the left run before each tile
// of the merged runs.
//
// Bilardi, Nicolau, *Adaptive bitonic sorting* (1989): the lower half of a bitonic sequence, which
// is an ascending run and a descending one, is a part of each. Their lengths are found by a search,
// without comparing all items. Here the search finds the items of any number of tiles, not just of
// half of them. Of equal items, those of the left run are first.
//
// A step of the search tests seven places at a time, because the latency of a load is most of its
// time.

#import grid
#import n_items
#import sort_config
#import wires
#import merged_runs

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> splits: array<u32>;

const N_TESTED = 7u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n = n_items();
    let item = tile * TILE_LENGTH;
    if item >= n {
        return;
    }
    let runs = runs_of(item, n);
    let n_before = item - runs.first;
    let n_right = runs.end - runs.middle;
    // The result is one of `low` to `low + length`.
    var low = max(n_before, n_right) - n_right;
    let high = min(n_before, runs.middle - runs.first);
    var length = high - low;
    while length > 0u {
        let step = length / (N_TESTED + 1u) + 1u;
        var n_passed = 0u;
        #repeat i 7
        let tested = low + $i * step + step - 1u;
        let left = min(tested, high - 1u);
        let left_key = keys[runs.first + left] & config.key_mask;
        let right_key = keys[runs.middle + n_before - 1u - left] & config.key_mask;
        n_passed += u32(tested < high && left_key <= right_key);
        #endrepeat
        low += n_passed * step;
        length = min(step - 1u, high - low);
    }
    splits[tile] = low;
}
