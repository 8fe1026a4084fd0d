// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_stitch
// shader: fused_stitch_two_level: two_level

// Stage fused, stitching: the group boxes and links of the nodes that cross partitions or have no
// end. The leaves of such a node are those in the rest of the partition of its begin, in whole
// partitions, and in the front of the partition of its end (Levien 2022, section 6.2). So far, the
// group box of the begin is the union of the rest of its partition, and that of the end is the
// union of the front of its partition. fused_resolve has stored these, the leaves of the tree of
// unions, and all links except the end of such a begin.

#import aabb
#import bic
#import config
#import grid
#import entry
#import partition_union
#import quad
#import stitching

@group(0) @binding(4) var<storage> entries: array<i32>;
@group(0) @binding(5) var<storage, read_write> links: array<EntryLink>;
#ifdef two_level
#import two_level

const INVOCATIONS = WORKGROUP_SIZE;

@group(0) @binding(6) var<storage> partition_bics: array<Bic>;

// The top of the tree of unions in heap order: the root at 1, the leaves starting at
// WORKGROUP_SIZE. A leaf covers the partitions of an invocation.
var<workgroup> heap: array<vec4<f32>, 2u * WORKGROUP_SIZE>;
// For each invocation, the bicyclic sum of those of its partitions that are after the workgroup's
// own. Item 0 becomes the total.
var<workgroup> bics: array<Bic, WORKGROUP_SIZE>;

// The union at a node of the whole tree. There are at most two levels below `heap`.
fn tree_box(index: u32) -> vec4<f32> {
    if index < 2u * WORKGROUP_SIZE {
        return heap[index];
    }
    if index < config.n_tree_leaves {
        return join(union_tree[2u * index], union_tree[2u * index + 1u]);
    }
    return union_tree[index];
}
#else
#import spine

const INVOCATIONS = FEW_INVOCATIONS;

@group(0) @binding(6) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(7) var<storage> depth_tree: array<i32>;

// The minimum depth in the partitions after the workgroup's own.
var<workgroup> least_after: atomic<i32>;
#endif

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n_partitions = config.n_partitions;
    if part >= n_partitions {
        return;
    }
    let own = summaries[part].bic;
#ifdef two_level
    var total_box = EMPTY;
    var after = Bic(0u, 0u);
    let n = partitions_per_invocation();
    for (var p = n * local; p < min(n * (local + 1u), n_partitions); p++) {
        total_box = join(total_box, union_tree[config.n_tree_leaves + p]);
        if p > part {
            after = bic_then(after, partition_bics[p]);
        }
    }
    heap[WORKGROUP_SIZE + local] = total_box;
    bics[local] = after;
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        workgroupBarrier();
        var sum = Bic(0u, 0u);
        if local < width {
            let heap_node = width + local;
            heap[heap_node] = join(heap[2u * heap_node], heap[2u * heap_node + 1u]);
            sum = bic_then(bics[2u * local], bics[2u * local + 1u]);
        }
        workgroupBarrier();
        if local < width {
            bics[local] = sum;
        }
    }
    workgroupBarrier();
    // The begins without an end are the lowest of the slice.
    let n_unclosed = own.b - min(own.b, bics[0].a);
#else
    // The partitions after this one are below the right siblings on the path to the root, one
    // sibling per invocation.
    if local == 0u {
        atomicStore(&least_after, DEEPEST);
    }
    workgroupBarrier();
    let ancestor = (config.n_tree_leaves + part) >> min(local, 31u);
    if ancestor > 1u && (ancestor & 1u) == 0u {
        atomicMin(&least_after, depth_tree[ancestor + 1u]);
    }
    workgroupBarrier();
    // The begins without an end are those below the minimum depth of all later partitions.
    let least = atomicLoad(&least_after);
    var n_unclosed = own.b;
    if least != DEEPEST {
        n_unclosed = u32(clamp(least - partition_depths[part].lowest, 0, i32(own.b)));
    }
#endif

    for (var slot = local; slot < n_unclosed; slot += INVOCATIONS) {
        let begin = summaries[part].slice[slot];
        group_boxes[begin] = join(group_boxes[begin], union_of_partitions(part + 1u, n_partitions));
    }
    for (var depth = local; depth < own.a; depth += INVOCATIONS) {
        let pair = crossings[part].pairs[depth];
        if pair.x >= 0 {
            let source = u32(entries[pair.x]) / PARTITION_LENGTH;
            var box = join(group_boxes[pair.x], union_of_partitions(source + 1u, part));
            box = join(box, group_boxes[pair.y]);
            group_boxes[pair.x] = box;
            group_boxes[pair.y] = box;
            links[pair.x].partner = pair.y;
        }
    }
}
