// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_stitch_fronts_chunked: chunked

// Stage fused in chunks, stitching, 1 of 3: for each node that ends in the partition and begins
// before it, the union of its leaves in the partition moves to the slice boxes of the partition,
// which are not in use any more. Also the group boxes of begins without an end.

#import aabb
#import chunk
#import config
#import grid
#import partition_union
#import quad
#import spine
#import stitching

@group(0) @binding(4) var<storage, read_write> slice_boxes: array<vec4<f32>>;
@group(0) @binding(5) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(6) var<storage> depth_tree: array<i32>;

// The minimum depth in the partitions after `part`: that of the right siblings on the path to the
// root.
fn least_after(part: u32) -> i32 {
    var least = DEEPEST;
    for (var node = config.n_tree_leaves + part; node > 1u; node >>= 1u) {
        if (node & 1u) == 0u {
            least = min(least, depth_tree[node + 1u]);
        }
    }
    return least;
}

@compute @workgroup_size(FEW_INVOCATIONS)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let scene_part = chunk.first_partition + part;
    if scene_part >= min(config.n_partitions, chunk.end_partition) {
        return;
    }
    if !has_entry(summaries[part].first_entry) {
        return;
    }
    let own = summaries[part].bic;
    for (var depth = local; depth < own.a; depth += FEW_INVOCATIONS) {
        let end = u32(crossings[part].pairs[depth].y);
        slice_boxes[part * PARTITION_LENGTH + depth] = group_boxes[end - chunk.first_entry];
    }
    // The begins without an end are those below the minimum depth of all later partitions.
    let least = least_after(scene_part);
    var n_unclosed = own.b;
    if least != DEEPEST {
        n_unclosed = u32(clamp(least - partition_depths[scene_part].lowest, 0, i32(own.b)));
    }
    for (var slot = local; slot < n_unclosed; slot += FEW_INVOCATIONS) {
        let begin = summaries[part].slice[slot] - chunk.first_entry;
        let behind = union_of_partitions(scene_part + 1u, config.n_partitions);
        group_boxes[begin] = join(group_boxes[begin], behind);
    }
}
