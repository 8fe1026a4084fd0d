// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: matcher_simple_finish: ELEMENTS_1

// Matcher simple, 2 of 2: the top of the stack before every entry. Levien 2022, section 7.2, with
// the steps of link_finish_simple.wgsl. The first dispatch is matcher_work_efficient_reduce.wgsl
// with one entry per invocation.

#import bic
#import config
#import grid

@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> matches: array<i32>;

#import entry_search
#import sequence
#import slice_lookup
#import slice_search

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    scan_partitions(part, local);
    build_entry_tree(part, local);
    let index = part * WORKGROUP_SIZE + local;
    if index < config.n_entries {
        matches[index] = top_before(part, local, 0u);
    }
}
