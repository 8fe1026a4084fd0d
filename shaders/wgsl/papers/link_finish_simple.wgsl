// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage link in two levels, 2 of 2: the parent and the partner of every entry. Levien 2022, section
// 7.2.
//
// 1. A reverse scan of the bicyclic sums of all earlier partitions.
// 2. A binary tree of bicyclic sums over the entries of the partition.
// 3. A search of the tree for each entry (Figure 2). If it leads out of the partition, a binary
//    search of the scan finds the slice with that level of the stack.

#import bic
#import grid
#import entry
#import entry_begins

@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> links: array<EntryLink>;

#import link_entries
#import slice_lookup
#import slice_search

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    scan_partitions(part, local);
    link_entry(part, local);
}
