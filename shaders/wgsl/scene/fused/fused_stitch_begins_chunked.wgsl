// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_stitch_begins_chunked: chunked

// Stage fused in chunks, stitching, 2 of 3: for each node that ends in the partition and whose
// begin is in an earlier partition and in the chunk, the group box at the begin, and the links. A
// copy stays in the slice boxes of the partition, for the end.

#import aabb
#import chunk
#import config
#import grid
#import entry
#import partition_union
#import quad
#import stitching

@group(0) @binding(4) var<storage> entries: array<i32>;
@group(0) @binding(5) var<storage, read_write> slice_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> links: array<EntryLink>;

@compute @workgroup_size(FEW_INVOCATIONS)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let n_ends = summaries[part].bic.a;
    for (var depth = local; depth < n_ends; depth += FEW_INVOCATIONS) {
        let pair = crossings[part].pairs[depth];
        if pair.x >= 0 && has_entry(u32(pair.x)) {
            let begin = u32(pair.x) - chunk.first_entry;
            let slot = part * PARTITION_LENGTH + depth;
            let source = u32(entries[begin]) / PARTITION_LENGTH;
            let between = union_of_partitions(source + 1u, chunk.first_partition + part);
            let box = join(join(group_boxes[begin], between), slice_boxes[slot]);
            group_boxes[begin] = box;
            slice_boxes[slot] = box;
            links[begin].partner = pair.y;
        }
    }
}
