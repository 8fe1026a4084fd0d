// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stream reduction in blocks, last dispatch: moves the items of each reduced block to their places.
// Roger, Assarsson, Holzschuch 2007, "Scatter? (future work)", "Concatenation".

#import grid
#import reduced_blocks
#import reduction_config

@group(0) @binding(2) var<storage> reduced: array<u32>;
@group(0) @binding(3) var<storage, read_write> selected: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let at = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if at >= config.n_items {
        return;
    }
    let block = at / config.block_length;
    let place = n_before(block) + at % config.block_length;
    if place < sums[block] {
        selected[place] = reduced[at];
    }
}
