// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Radix sort, 1 of 3 in each pass: the number of items of a chunk with each digit.
//
// The counters exist four times, because neighbouring invocations often have the same digit.

#import grid
#import n_items
#import sort_config
#import radix_tile

@group(0) @binding(2) var<storage> keys: array<u32>;
// The counts of the first digit in all chunks, then those of the second digit, and so on.
@group(0) @binding(3) var<storage, read_write> digit_counts: array<u32>;

const N_COPIES = 4u;

var<workgroup> counters: array<atomic<u32>, N_COPIES * N_DIGITS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let chunk = workgroup_index(grid);
    if chunk >= config.n_chunks {
        return;
    }
    #repeat copy 4
    atomicStore(&counters[$copy * N_DIGITS + local], 0u);
    #endrepeat
    workgroupBarrier();
    let items = chunk_of(chunk, n_items());
    for (var tile = items.x; tile < items.y; tile += TILE_LENGTH) {
        // Loads without conditions are in flight at the same time.
        var own_keys: array<u32, ITEMS_PER_INVOCATION>;
        #repeat i 8
        own_keys[$i] = keys[min(tile + $i * WORKGROUP_SIZE + local, items.y - 1u)];
        #endrepeat
        #repeat i 8
        if tile + $i * WORKGROUP_SIZE + local < items.y {
            atomicAdd(&counters[(local % N_COPIES) * N_DIGITS + digit_of(own_keys[$i])], 1u);
        }
        #endrepeat
    }
    workgroupBarrier();
    var n = 0u;
    #repeat copy 4
    n += atomicLoad(&counters[$copy * N_DIGITS + local]);
    #endrepeat
    digit_counts[local * config.n_chunks + chunk] = n;
}
