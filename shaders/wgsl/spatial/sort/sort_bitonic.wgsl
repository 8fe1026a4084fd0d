// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: sort_bitonic
// shader: sort_bitonic_indices: indices

// Sorts tiles of up to 2048 items by Batcher's bitonic sort, one workgroup per tile. The adaptive
// bitonic sort then merges the tiles.
//
// Batcher, *Sorting networks and their applications* (1968). The first stage of a merge of two runs
// compares the first wire with the last, the second with the last but one, and so on, as if the
// second run were reversed. The other stages compare the wires at a distance, which halves from
// half the length of a run to 1. Wires beyond the last item have the largest key and a larger
// place, so that they stay behind the items.

#import grid
#import n_items
#import sort_config
#import swizzle
#import wires
#import bitonic_items

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> sorted_values: array<u32>;
#ifndef indices
@group(0) @binding(5) var<storage> values: array<u32>;
#endif

// Sorts the eight items of an invocation.
fn sort_own() {
    compare_at_1();
    compare_and_exchange(0u, 3u);
    compare_and_exchange(1u, 2u);
    compare_and_exchange(4u, 7u);
    compare_and_exchange(5u, 6u);
    compare_at_1();
    compare_mirrored();
    compare_at_2();
    compare_at_1();
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * MAX_WIRES;
    if first >= n_items() {
        return;
    }
    let n = min(n_items() - first, MAX_WIRES);
    #repeat i 8
    let wire = 8u * local + $i;
    own_keys[$i] = 0xffffffffu;
    own_places[$i] = wire;
    if wire < n {
        own_keys[$i] = keys[first + wire] & config.key_mask;
    }
    #endrepeat
    sort_own();
    take_wires(local, 1u);
    store_own();
    workgroupBarrier();
    for (var merged = 8u; merged < n; merged *= 2u) {
        take_mirrored_wires(local, merged / 4u);
        load_own();
        compare_mirrored();
        compare_at_2();
        compare_at_1();
        store_own();
        workgroupBarrier();
        merge_own(local, merged / 8u);
        store_own();
        workgroupBarrier();
    }
    // Neighbours write to neighbouring places.
    #repeat i 8
    let wire = $i * WORKGROUP_SIZE + local;
    if wire < n {
        let place = first + wire_places[swizzled(wire)];
        sorted_keys[first + wire] = keys[place];
#ifdef indices
        sorted_values[first + wire] = place;
#else
        sorted_values[first + wire] = values[place];
#endif
    }
    #endrepeat
}
