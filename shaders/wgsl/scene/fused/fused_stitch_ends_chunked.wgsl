// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_stitch_ends_chunked: chunked

// Stage fused in chunks, stitching, 3 of 3: for each node that ends in the partition and begins
// before it, the group box at the end.

#import chunk
#import config
#import grid
#import quad
#import stitching

@group(0) @binding(4) var<storage> slice_boxes: array<vec4<f32>>;

@compute @workgroup_size(FEW_INVOCATIONS)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    if !has_entry(summaries[part].first_entry) {
        return;
    }
    let n_ends = summaries[part].bic.a;
    for (var depth = local; depth < n_ends; depth += FEW_INVOCATIONS) {
        let end = u32(crossings[part].pairs[depth].y);
        // For an end without a begin, this is still the value that fused_resolve stored.
        group_boxes[end - chunk.first_entry] = slice_boxes[part * PARTITION_LENGTH + depth];
    }
}
