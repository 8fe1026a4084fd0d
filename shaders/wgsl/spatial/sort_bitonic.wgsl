// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: sort_bitonic
// shader: sort_bitonic_indices: indices

// Sorts up to 2048 items by Batcher's bitonic sort, in one dispatch of one workgroup.
//
// Batcher, *Sorting networks and their applications* (1968). To merge two runs, the second one is
// reversed, which makes the two bitonic. A stage then compares the items at a distance, which
// halves from the length of a run to 1. An invocation has eight items in registers and does three
// stages before it exchanges items through workgroup memory. Wires beyond the last item have the
// largest key and a larger place, so that they stay behind the items.

#import grid
#import n_items
#import sort_config
#import swizzle
#import wires

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> sorted_values: array<u32>;
#ifndef indices
@group(0) @binding(5) var<storage> values: array<u32>;
#endif

var<private> own_keys: array<u32, 8>;
var<private> own_places: array<u32, 8>;

fn compare_and_exchange(lower: u32, upper: u32) {
    let low = vec2(own_keys[lower], own_places[lower]);
    let high = vec2(own_keys[upper], own_places[upper]);
    let is_swapped = low.x > high.x || (low.x == high.x && low.y > high.y);
    own_keys[lower] = select(low.x, high.x, is_swapped);
    own_keys[upper] = select(high.x, low.x, is_swapped);
    own_places[lower] = select(low.y, high.y, is_swapped);
    own_places[upper] = select(high.y, low.y, is_swapped);
}

// One stage of eight items in a row: comparators at a distance of 4, 2, or 1.
fn compare_at_4() {
    #repeat i 4
    compare_and_exchange($i, $i + 4u);
    #endrepeat
}

fn compare_at_2() {
    #repeat i 2
    compare_and_exchange($i, $i + 2u);
    compare_and_exchange($i + 4u, $i + 6u);
    #endrepeat
}

fn compare_at_1() {
    #repeat i 4
    compare_and_exchange(2u * $i, 2u * $i + 1u);
    #endrepeat
}

// Sorts the eight items of an invocation. The first stage of each merge mirrors the second run.
fn sort_own() {
    compare_at_1();
    compare_and_exchange(0u, 3u);
    compare_and_exchange(1u, 2u);
    compare_and_exchange(4u, 7u);
    compare_and_exchange(5u, 6u);
    compare_at_1();
    #repeat i 4
    compare_and_exchange($i, 7u - $i);
    #endrepeat
    compare_at_2();
    compare_at_1();
}

// The wire of an invocation's first item, if its items are at a distance of `step`, a power of two.
fn first_wire(local: u32, step: u32) -> u32 {
    return 8u * (local & ~(step - 1u)) + (local & (step - 1u));
}

// Puts the items on their wires, with every second run of the length `merged` reversed.
fn store_own(local: u32, step: u32, merged: u32) {
    #repeat i 8
    let wire = first_wire(local, step) + $i * step;
    let at = swizzled(select(wire, wire ^ (merged - 1u), (wire & merged) != 0u));
    wire_keys[at] = own_keys[$i];
    wire_places[at] = own_places[$i];
    #endrepeat
}

fn load_own(local: u32, step: u32) {
    #repeat i 8
    let at = swizzled(first_wire(local, step) + $i * step);
    own_keys[$i] = wire_keys[at];
    own_places[$i] = wire_places[at];
    #endrepeat
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n = min(n_items(), MAX_WIRES);
    #repeat i 8
    let wire = 8u * local + $i;
    own_keys[$i] = 0xffffffffu;
    own_places[$i] = wire;
    if wire < n {
        own_keys[$i] = keys[wire] & config.key_mask;
    }
    #endrepeat
    sort_own();
    for (var merged = 8u; merged < n; merged *= 2u) {
        store_own(local, 1u, merged);
        workgroupBarrier();
        // The distance of the next stage. Eight items at a distance of a quarter of it have three
        // stages.
        var distance = merged;
        while distance > 2u {
            let step = distance / 4u;
            load_own(local, step);
            compare_at_4();
            compare_at_2();
            compare_at_1();
            store_own(local, step, MAX_WIRES);
            workgroupBarrier();
            distance /= 8u;
        }
        load_own(local, 1u);
        if distance == 2u {
            compare_at_2();
        }
        if distance >= 1u {
            compare_at_1();
        }
        workgroupBarrier();
    }
    #repeat i 8
    let wire = 8u * local + $i;
    if wire < n {
        let place = own_places[$i];
        sorted_keys[wire] = keys[place];
#ifdef indices
        sorted_values[wire] = place;
#else
        sorted_values[wire] = values[place];
#endif
    }
    #endrepeat
}
