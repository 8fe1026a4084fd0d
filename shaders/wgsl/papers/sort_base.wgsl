// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: sort_base_bitonic
// shader: sort_base_bitonic_indices: indices
// shader: sort_base_optimal: optimal
// shader: sort_base_optimal_indices: indices optimal

// The bitonic sort of up to 2048 items with 16 items per invocation, in one dispatch of one
// workgroup. Each invocation first sorts its items by a network of 16 wires: the bitonic one, with
// 10 stages and 80 comparators, or one with the fewest stages, 9, and 61 comparators.
//
// Zachmann, *Massively Parallel Algorithms*, "Optimal sorting networks", asks whether the latter
// would improve the performance on a GPU. This shader answers it. All else is the same.

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

const N_INVOCATIONS = MAX_WIRES / 16u;

var<private> own_keys: array<u32, 16>;
var<private> own_places: array<u32, 16>;

fn compare_and_exchange(lower: u32, upper: u32) {
    let low = vec2(own_keys[lower], own_places[lower]);
    let high = vec2(own_keys[upper], own_places[upper]);
    let is_swapped = low.x > high.x || (low.x == high.x && low.y > high.y);
    own_keys[lower] = select(low.x, high.x, is_swapped);
    own_keys[upper] = select(high.x, low.x, is_swapped);
    own_places[lower] = select(low.y, high.y, is_swapped);
    own_places[upper] = select(high.y, low.y, is_swapped);
}

// One stage of 16 items in a row: comparators at a distance of 8, 4, 2, or 1.
fn compare_at_8() {
    #repeat i 8
    compare_and_exchange($i, $i + 8u);
    #endrepeat
}

fn compare_at_4() {
    #repeat i 4
    compare_and_exchange($i, $i + 4u);
    compare_and_exchange($i + 8u, $i + 12u);
    #endrepeat
}

fn compare_at_2() {
    #repeat i 4
    compare_and_exchange(4u * $i, 4u * $i + 2u);
    compare_and_exchange(4u * $i + 1u, 4u * $i + 3u);
    #endrepeat
}

fn compare_at_1() {
    #repeat i 8
    compare_and_exchange(2u * $i, 2u * $i + 1u);
    #endrepeat
}

// Sorts the 16 items of an invocation.
fn sort_own() {
#ifdef optimal
    // As `boxwood_cpu::specification::papers::OPTIMAL_16`.
    compare_and_exchange(0u, 5u); compare_and_exchange(1u, 4u); compare_and_exchange(2u, 12u);
    compare_and_exchange(3u, 13u); compare_and_exchange(6u, 7u); compare_and_exchange(8u, 9u);
    compare_and_exchange(10u, 15u); compare_and_exchange(11u, 14u);
    compare_and_exchange(0u, 2u); compare_and_exchange(1u, 10u); compare_and_exchange(3u, 6u);
    compare_and_exchange(4u, 7u); compare_and_exchange(5u, 14u); compare_and_exchange(8u, 11u);
    compare_and_exchange(9u, 12u); compare_and_exchange(13u, 15u);
    compare_and_exchange(0u, 8u); compare_and_exchange(1u, 3u); compare_and_exchange(2u, 11u);
    compare_and_exchange(4u, 13u); compare_and_exchange(5u, 9u); compare_and_exchange(6u, 10u);
    compare_and_exchange(7u, 15u); compare_and_exchange(12u, 14u);
    compare_and_exchange(0u, 1u); compare_and_exchange(2u, 4u); compare_and_exchange(3u, 8u);
    compare_and_exchange(5u, 6u); compare_and_exchange(7u, 12u); compare_and_exchange(9u, 10u);
    compare_and_exchange(11u, 13u); compare_and_exchange(14u, 15u);
    compare_and_exchange(1u, 3u); compare_and_exchange(2u, 5u); compare_and_exchange(4u, 8u);
    compare_and_exchange(6u, 9u); compare_and_exchange(7u, 11u); compare_and_exchange(10u, 13u);
    compare_and_exchange(12u, 14u);
    compare_and_exchange(1u, 2u); compare_and_exchange(3u, 5u); compare_and_exchange(4u, 11u);
    compare_and_exchange(6u, 8u); compare_and_exchange(7u, 9u); compare_and_exchange(10u, 12u);
    compare_and_exchange(13u, 14u);
    compare_and_exchange(2u, 3u); compare_and_exchange(4u, 5u); compare_and_exchange(6u, 7u);
    compare_and_exchange(8u, 9u); compare_and_exchange(10u, 11u); compare_and_exchange(12u, 13u);
    compare_and_exchange(4u, 6u); compare_and_exchange(5u, 7u); compare_and_exchange(8u, 10u);
    compare_and_exchange(9u, 11u);
    compare_and_exchange(3u, 4u); compare_and_exchange(5u, 6u); compare_and_exchange(7u, 8u);
    compare_and_exchange(9u, 10u); compare_and_exchange(11u, 12u);
#else
    // The first stage of each merge mirrors the second run.
    compare_at_1();
    #repeat i 4
    compare_and_exchange(4u * $i, 4u * $i + 3u);
    compare_and_exchange(4u * $i + 1u, 4u * $i + 2u);
    #endrepeat
    compare_at_1();
    #repeat i 4
    compare_and_exchange($i, 7u - $i);
    compare_and_exchange($i + 8u, 15u - $i);
    #endrepeat
    compare_at_2();
    compare_at_1();
    #repeat i 8
    compare_and_exchange($i, 15u - $i);
    #endrepeat
    compare_at_4();
    compare_at_2();
    compare_at_1();
#endif
}

// The wire of an invocation's first item, if its items are at a distance of `step`, a power of two.
fn first_wire(local: u32, step: u32) -> u32 {
    return 16u * (local & ~(step - 1u)) + (local & (step - 1u));
}

// Puts the items on their wires, with every second run of the length `merged` reversed.
fn store_own(local: u32, step: u32, merged: u32) {
    #repeat i 16
    let wire = first_wire(local, step) + $i * step;
    let at = swizzled(select(wire, wire ^ (merged - 1u), (wire & merged) != 0u));
    wire_keys[at] = own_keys[$i];
    wire_places[at] = own_places[$i];
    #endrepeat
}

fn load_own(local: u32, step: u32) {
    #repeat i 16
    let at = swizzled(first_wire(local, step) + $i * step);
    own_keys[$i] = wire_keys[at];
    own_places[$i] = wire_places[at];
    #endrepeat
}

@compute @workgroup_size(N_INVOCATIONS)
fn main(@builtin(local_invocation_index) local: u32) {
    let n = min(n_items(), MAX_WIRES);
    #repeat i 16
    let wire = 16u * local + $i;
    own_keys[$i] = 0xffffffffu;
    own_places[$i] = wire;
    if wire < n {
        own_keys[$i] = keys[wire] & config.key_mask;
    }
    #endrepeat
    sort_own();
    for (var merged = 16u; merged < n; merged *= 2u) {
        store_own(local, 1u, merged);
        workgroupBarrier();
        // The distance of the next stage. 16 items at a distance of an eighth of it have four
        // stages.
        var distance = merged;
        while distance > 8u {
            let step = distance / 8u;
            load_own(local, step);
            compare_at_8();
            compare_at_4();
            compare_at_2();
            compare_at_1();
            store_own(local, step, MAX_WIRES);
            workgroupBarrier();
            distance /= 16u;
        }
        load_own(local, 1u);
        if distance == 8u {
            compare_at_8();
        }
        if distance >= 4u {
            compare_at_4();
        }
        if distance >= 2u {
            compare_at_2();
        }
        if distance >= 1u {
            compare_at_1();
        }
        workgroupBarrier();
    }
    #repeat i 16
    let wire = 16u * local + $i;
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
