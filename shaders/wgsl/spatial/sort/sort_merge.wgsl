// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Adaptive bitonic sort, 2 of 2 in each pass: merges the items of a tile of two merged runs.
//
// The items of the left run are on the first wires, and those of the right run, reversed, on the
// last ones. Wires in between have the largest key. This sequence is bitonic, so that the stages of
// a bitonic merger sort it. Of equal items, those with the smaller place are first: the places of
// the left run are before those of the right run.

#import grid
#import n_items
#import sort_config
#import swizzle
#import wires
#import bitonic_items
#import merged_runs

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> sorted_values: array<u32>;
@group(0) @binding(5) var<storage> values: array<u32>;
@group(0) @binding(6) var<storage> splits: array<u32>;

const NO_KEY = 0xffffffffu;
const NO_PLACE = 0xffffffffu;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = workgroup_index(grid);
    let n = n_items();
    let item = tile * TILE_LENGTH;
    if item >= n {
        return;
    }
    let runs = runs_of(item, n);
    let end = min(item + TILE_LENGTH, runs.end);
    var left_end = runs.middle;
    if end < runs.end {
        left_end = runs.first + splits[tile + 1u];
    }
    let left = runs.first + splits[tile];
    let n_left = left_end - left;
    let right = runs.middle + (item - left);
    let n_right = end - item - n_left;
    #repeat i 8
    let wire = $i * WORKGROUP_SIZE + local;
    let from_end = MAX_WIRES - 1u - wire;
    let is_left = wire < n_left;
    let is_item = is_left || from_end < n_right;
    // Loads without conditions are in flight at the same time.
    let key = keys[min(select(right + from_end, left + wire, is_left), n - 1u)] & config.key_mask;
    own_keys[$i] = select(NO_KEY, key, is_item);
    own_places[$i] = select(NO_PLACE, select(n_left + from_end, wire, is_left), is_item);
    #endrepeat
    compare_at_4();
    compare_at_2();
    compare_at_1();
    take_wires(local, WORKGROUP_SIZE);
    store_own();
    workgroupBarrier();
    merge_own(local, WORKGROUP_SIZE / 2u);
    store_own();
    workgroupBarrier();
    // Neighbours write to neighbouring places. Loads before the first store are in flight at the
    // same time.
    #repeat i 8
    let place = wire_places[swizzled($i * WORKGROUP_SIZE + local)];
    let source = min(select(right + place - n_left, left + place, place < n_left), n - 1u);
    own_keys[$i] = keys[source];
    own_places[$i] = values[source];
    #endrepeat
    #repeat i 8
    let target_item = item + $i * WORKGROUP_SIZE + local;
    if target_item < end {
        sorted_keys[target_item] = own_keys[$i];
        sorted_values[target_item] = own_places[$i];
    }
    #endrepeat
}
