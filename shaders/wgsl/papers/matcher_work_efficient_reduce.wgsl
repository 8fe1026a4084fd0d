// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: matcher_simple_reduce: ELEMENTS_1
// shader: matcher_work_efficient_reduce: ELEMENTS_4

// Matchers simple and work_efficient, 1 of 2: the stack slice and the bicyclic sum of each
// partition. Levien 2022, section 7.1 with one entry per invocation, and section 8.1 with four.

#import bic
#import grid

@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;

#import sequence
#import slice_scatter

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    leave_slice(workgroup_index(grid), local);
}
