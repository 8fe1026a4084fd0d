// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: sort_network_odd_even: odd_even
// shader: sort_network_odd_even_indices: odd_even indices
// shader: sort_network_bitonic
// shader: sort_network_bitonic_indices: indices

// Sorts up to 2048 items by a sorting network, in one dispatch of one workgroup.
//
// The network is that of the next power of two. Comparators with a wire beyond the last item are
// left out, as if that wire had the largest item. Items with equal keys compare by their places, so
// that the sort is stable.

#import grid
#import n_items
#import sort_config
#import network_stages
#ifdef odd_even
#import network_odd_even
#else
#import network_bitonic
#endif

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> sorted_values: array<u32>;
#ifndef indices
@group(0) @binding(5) var<storage> values: array<u32>;
#endif

const MAX_WIRES = 2048u;

var<workgroup> wire_keys: array<u32, MAX_WIRES>;
var<workgroup> wire_places: array<u32, MAX_WIRES>;

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
    // The next power of two, and at least one comparator.
    let n_wires = 2u << (31u - countLeadingZeros(max(n, 2u) - 1u));
    var stage = first_stage();
    for (var is_last = false; !is_last; stage = next_stage(stage)) {
        workgroupBarrier();
        for (var c = local; c < n_wires / 2u; c += WORKGROUP_SIZE) {
            let wires = comparator(stage, c);
            if wires.y > wires.x && wires.y < n {
                compare_and_exchange(wires.x, wires.y);
            }
        }
        is_last = is_last_stage(stage, n_wires);
    }
    workgroupBarrier();
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
