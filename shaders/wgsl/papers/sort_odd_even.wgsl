// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: sort_odd_even
// shader: sort_odd_even_indices: indices

// Sorts up to 2048 items by Batcher's odd-even merge sort, in one dispatch of one workgroup.
//
// Batcher, *Sorting networks and their applications* (1968). The network is that of the next power
// of two. Comparators with a wire beyond the last item are left out, as if that wire had the
// largest item.

#import grid
#import n_items
#import sort_config
#import wires

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> sorted_values: array<u32>;
#ifndef indices
@group(0) @binding(5) var<storage> values: array<u32>;
#endif

// The wires of comparator c at a distance, while runs of the length `merged` are merged. The lower
// is first. Both are 0 if there is no such comparator.
fn comparator(merged: u32, distance: u32, c: u32) -> vec2<u32> {
    let lower = (distance & (merged - 1u)) + 2u * (c & ~(distance - 1u)) + (c & (distance - 1u));
    let upper = lower + distance;
    let is_in_one_merge = ((lower ^ upper) & ~(2u * merged - 1u)) == 0u;
    return select(vec2(0u), vec2(lower, upper), is_in_one_merge);
}

fn compare_and_exchange(lower: u32, upper: u32) {
    let low = vec2(wire_keys[lower], wire_places[lower]);
    let high = vec2(wire_keys[upper], wire_places[upper]);
    if low.x > high.x || (low.x == high.x && low.y > high.y) {
        wire_keys[lower] = high.x;
        wire_places[lower] = high.y;
        wire_keys[upper] = low.x;
        wire_places[upper] = low.y;
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n = min(n_items(), MAX_WIRES);
    for (var wire = local; wire < n; wire += WORKGROUP_SIZE) {
        wire_keys[wire] = keys[wire] & config.key_mask;
        wire_places[wire] = wire;
    }
    workgroupBarrier();
    // Half of the next power of two.
    let n_comparators = 1u << (31u - countLeadingZeros(max(n, 2u) - 1u));
    for (var merged = 1u; merged < n; merged *= 2u) {
        for (var distance = merged; distance > 0u; distance /= 2u) {
            for (var c = local; c < n_comparators; c += WORKGROUP_SIZE) {
                let wires = comparator(merged, distance, c);
                if wires.y > wires.x && wires.y < n {
                    compare_and_exchange(wires.x, wires.y);
                }
            }
            workgroupBarrier();
        }
    }
    for (var wire = local; wire < n; wire += WORKGROUP_SIZE) {
        let place = wire_places[wire];
        sorted_keys[wire] = keys[place];
#ifdef indices
        sorted_values[wire] = place;
#else
        sorted_values[wire] = values[place];
#endif
    }
}
