// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: swizzled, wire_keys, wire_places
// provides: compare_and_exchange, compare_at_1, compare_at_2, compare_at_4, compare_mirrored, load_own, merge_own, own_keys, own_places, store_own, take_mirrored_wires, take_wires

// Stages of bitonic networks. An invocation has eight items in registers and does three stages
// before it exchanges items through workgroup memory.

var<private> own_keys: array<u32, 8>;
var<private> own_places: array<u32, 8>;
// Where the wires of the items are in workgroup memory.
var<private> own_wires: array<u32, 8>;

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

// The first stage of a merge of two runs of four items.
fn compare_mirrored() {
    #repeat i 4
    compare_and_exchange($i, 7u - $i);
    #endrepeat
}

// Takes eight wires at a distance of `step`, a power of two, from each other.
fn take_wires(local: u32, step: u32) {
    take(local, step, 0u);
}

// The same for the first stages of a merge of two runs of 4 `step` wires: four wires of the first
// run, and those of the second run that mirror them.
fn take_mirrored_wires(local: u32, step: u32) {
    take(local, step, step - 1u);
}

// The distances are bits that the first wire does not have, and `swizzled` is linear.
fn take(local: u32, step: u32, mirror: u32) {
    let first = swizzled(8u * (local & ~(step - 1u)) + (local & (step - 1u)));
    let fifth = first ^ swizzled((4u * step) ^ mirror);
    let near = swizzled(step);
    let far = swizzled(2u * step);
    own_wires[0] = first;
    own_wires[1] = first ^ near;
    own_wires[2] = first ^ far;
    own_wires[3] = first ^ near ^ far;
    own_wires[4] = fifth;
    own_wires[5] = fifth ^ near;
    own_wires[6] = fifth ^ far;
    own_wires[7] = fifth ^ near ^ far;
}

fn store_own() {
    #repeat i 8
    wire_keys[own_wires[$i]] = own_keys[$i];
    wire_places[own_wires[$i]] = own_places[$i];
    #endrepeat
}

fn load_own() {
    #repeat i 8
    own_keys[$i] = wire_keys[own_wires[$i]];
    own_places[$i] = wire_places[own_wires[$i]];
    #endrepeat
}

// The stages of a bitonic merger, starting at a distance, after each wire has been stored and a barrier.
// Eight items at a distance of a quarter of the first one have three stages. Ends with eight items
// in a row that are not stored yet. An invocation stores only wires that it has loaded last, which
// needs no barrier.
fn merge_own(local: u32, first_distance: u32) {
    var distance = first_distance;
    while distance > 4u {
        take_wires(local, distance / 4u);
        load_own();
        compare_at_4();
        compare_at_2();
        compare_at_1();
        store_own();
        workgroupBarrier();
        distance /= 8u;
    }
    take_wires(local, 1u);
    load_own();
    if distance == 4u {
        compare_at_4();
    }
    if distance >= 2u {
        compare_at_2();
    }
    compare_at_1();
}
