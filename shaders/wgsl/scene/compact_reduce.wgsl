// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage compact, 1 of 3: the number of begins and ends in each partition of 1024 elements.

#import config
#import grid
#import quad
#import tag_quad
#import tag_sets

@group(0) @binding(2) var<storage, read_write> partition_entries: array<u32>;

var<workgroup> n_entries: atomic<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part * PARTITION_LENGTH >= config.n_elements {
        return;
    }
    if local == 0u {
        atomicStore(&n_entries, 0u);
    }
    workgroupBarrier();
    let quad = part * WORKGROUP_SIZE + local;
    if quad * QUAD_LENGTH < config.n_elements {
        let tags = draw_tags[quad];
        // Tags of an earlier scene beyond the last element do not matter, because no partition
        // follows them.
        atomicAdd(&n_entries, countOneBits(begins_among(tags) | ends_among(tags)));
    }
    workgroupBarrier();
    if local == 0u {
        partition_entries[part] = atomicLoad(&n_entries);
    }
}
