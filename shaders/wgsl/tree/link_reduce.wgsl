// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage link, first dispatch: the stack slice and the bicyclic sum of each partition of 256
// entries. Levien 2022, section 7.1. It also resets the links.

#import bic
#import config
#import grid
#import entry
#import entry_begins

@group(0) @binding(2) var<storage, read_write> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> links: array<EntryLink>;

const ELEMENTS = 1u;

#import slice_scatter

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let index = part * WORKGROUP_SIZE + local;
    if index < config.n_entries {
        links[index] = EntryLink(-1, -1);
    }
    leave_slice(part, local);
}
