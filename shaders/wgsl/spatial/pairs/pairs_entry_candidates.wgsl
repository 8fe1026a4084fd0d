// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage pairs in strips, 3, after a sort of the entries by their strips: the number of candidates
// of each entry. A candidate is a later entry of the same strip that begins before this one ends.

#import grid
#import n_items
#import pairs_config

// The smaller end of each box in the order of the sweep.
@group(0) @binding(2) var<storage> begin_keys: array<u32>;
@group(0) @binding(3) var<storage> swept_boxes: array<vec4<u32>>;
@group(0) @binding(4) var<storage> entry_strips: array<u32>;
@group(0) @binding(5) var<storage> places: array<u32>;
@group(0) @binding(6) var<storage, read_write> n_candidates: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let entry = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n = n_items();
    if entry >= n {
        return;
    }
    // Without room for all entries, the number of candidates is not known. A sum with this one is
    // not known either.
    if item_counts[config.count_word] > config.capacity {
        n_candidates[entry] = 0xffffffffu;
        return;
    }
    let strip = entry_strips[entry];
    let end = swept_boxes[places[entry] & INDEX_MASK].w;
    // The first entry after this one that is no candidate.
    var low = entry + 1u;
    var high = n;
    while low < high {
        let middle = low + (high - low) / 2u;
        let is_candidate = entry_strips[middle] == strip && begin_keys[places[middle] & INDEX_MASK] < end;
        low = select(low, middle + 1u, is_candidate);
        high = select(middle, high, is_candidate);
    }
    n_candidates[entry] = low - entry - 1u;
}
