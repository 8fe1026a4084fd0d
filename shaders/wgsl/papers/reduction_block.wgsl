// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: reduction_block_halving
// shader: reduction_block_contracting: contracting

// Stream reduction in blocks, first dispatch: reduces each block on its own, and counts its kept
// items. Roger, Assarsson, Holzschuch 2007, "Reduction of the blocks".
//
// A workgroup has 1024 items: one block or several. The prefix sums of the removed items are those
// of Hillis and Steele, with one addition per item and step.

#import grid
#import reduction_config
#import reduction_mask
#import stream_search

@group(0) @binding(2) var<storage, read_write> reduced: array<u32>;
@group(0) @binding(3) var<storage, read_write> block_counts: array<u32>;

const ITEMS_PER_INVOCATION = 4u;
const N_ITEMS = ITEMS_PER_INVOCATION * WORKGROUP_SIZE;

// Each step reads one half and writes the other.
var<workgroup> removed_sums: array<u32, 2u * N_ITEMS>;

fn removed_sum(at: u32) -> u32 {
    return removed_sums[at];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let start = workgroup_index(grid) * N_ITEMS;
    if start >= max(config.n_items, 1u) {
        return;
    }
    #repeat round 4
    removed_sums[$round * WORKGROUP_SIZE + local] = n_removed(start + $round * WORKGROUP_SIZE + local);
    #endrepeat
    workgroupBarrier();
    let last = config.block_length - 1u;
    var half = 0u;
    for (var distance = 1u; distance <= last; distance *= 2u) {
        #repeat round 4
        let k$round = $round * WORKGROUP_SIZE + local;
        var sum$round = removed_sums[half + k$round];
        if (k$round & last) >= distance {
            sum$round += removed_sums[half + k$round - distance];
        }
        removed_sums[(half ^ N_ITEMS) + k$round] = sum$round;
        #endrepeat
        half ^= N_ITEMS;
        workgroupBarrier();
    }
    for (var k = local; k < N_ITEMS; k += WORKGROUP_SIZE) {
        let i = k & last;
        let first = k - i;
        let n_kept = config.block_length - removed_sums[half + first + last];
        if i < n_kept {
            reduced[start + k] = start + first + kept_item(half + first, config.block_length, i);
        }
        let block = (start + k) / config.block_length;
        if i == 0u && block < config.n_sums {
            block_counts[block] = n_kept;
        }
    }
}
