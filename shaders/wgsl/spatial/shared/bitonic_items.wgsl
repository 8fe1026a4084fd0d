// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: MAX_WIRES, swizzled, wire_keys, wire_places
// provides: compare_and_exchange, compare_at_1, compare_at_2, compare_at_4, load_own, merge_own, own_keys, own_places, store_own

// Stages of bitonic networks. An invocation has eight items in registers and does three stages
// before it exchanges items through workgroup memory.

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

// The stages of a bitonic merger from a distance on, with barriers, after each wire has been
// stored. Eight items at a distance of a quarter of the first one have three stages.
fn merge_own(local: u32, first_distance: u32) {
    var distance = first_distance;
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
}
