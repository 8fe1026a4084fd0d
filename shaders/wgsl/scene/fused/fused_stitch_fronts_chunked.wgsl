// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage bound in windows, stitching, 1 of 3: of each node that ends here and begins in another partition, what lies in it here
// waits in the partition's own share of the slice boxes, which have been used. And the group boxes of begins that no end closes.

#import aabb
#import chunk
#import config
#import partition_union
#import quad
#import spine
#import summary
#import union_tree

// Of the whole scene.
@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<uniform> chunk: Chunk;
@group(0) @binding(2) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(3) var<storage> crossings: array<PartitionCrossings>;
@group(0) @binding(4) var<storage, read_write> slice_boxes: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> group_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage> union_tree: array<vec4<f32>>;
@group(0) @binding(7) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(8) var<storage> depth_tree: array<i32>;


// The least depth in the partitions after `part`: in the right siblings of the partition and of what is above it in the tree.
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
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    let scene_part = chunk.first_partition + part;
    if scene_part >= min(config.n_partitions, chunk.end_partition) {
        return;
    }
    if !has_node(summaries[part].first_node) {
        return;
    }
    let own = summaries[part].bic;
    for (var depth = local; depth < own.a; depth += FEW_INVOCATIONS) {
        let end = u32(crossings[part].pairs[depth].y);
        slice_boxes[part * PARTITION_LENGTH + depth] = group_boxes[end - chunk.first_node];
    }
    // Begins that no end of the scene closes are below the least depth of all partitions after this one.
    let least = least_after(scene_part);
    var n_unclosed = own.b;
    if least != DEEPEST {
        n_unclosed = u32(clamp(least - partition_depths[scene_part].lowest, 0, i32(own.b)));
    }
    for (var slot = local; slot < n_unclosed; slot += FEW_INVOCATIONS) {
        let begin = summaries[part].slice[slot] - chunk.first_node;
        let behind = union_of_partitions(scene_part + 1u, config.n_partitions);
        group_boxes[begin] = join(group_boxes[begin], behind);
    }
}
