// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage pairs in strips, 2, after a scan of the numbers of entries: the strip of each entry, and
// the place of its box in the sweep.

#import grid
#import n_items
#import pairs_config
#import owners

@group(0) @binding(2) var<storage> box_counts: array<u32>;
// The entries before those of each box, and their total.
@group(0) @binding(3) var<storage> sums: array<u32>;
@group(0) @binding(4) var<storage> first_strips: array<u32>;
@group(0) @binding(5) var<storage, read_write> entry_strips: array<u32>;
@group(0) @binding(6) var<storage, read_write> places: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * OUTPUTS_PER_PARTITION;
    let n_entries = n_items();
    if first >= n_entries {
        return;
    }
    prepare_owners(local, first, min(box_counts[config.box_count_word], config.box_capacity));
    #repeat round 8
    let entry = first + $round * WORKGROUP_SIZE + local;
    if entry < n_entries {
        let place = owner_of(entry);
        let rank = entry - sums[place];
        entry_strips[entry] = first_strips[place] + rank;
        places[entry] = place | select(CONTINUED, 0u, rank == 0u);
    }
    #endrepeat
}
