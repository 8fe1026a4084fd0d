// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage union, 2 of 2: the group box of every node, at its begin and at its end. Levien 2022,
// sections 6.2 and 9, second dispatch for unions.
//
// The contents of a node are a range of the node stream.
//
// - Inside one partition, the union of the range is read from a tree over the entries.
// - Across partitions, it is that of the rest of the begin's partition, whole partitions, and the
//   front of the end's partition. The whole partitions are read from a second tree.

#import aabb
#import config
#import grid
#import entry

@group(0) @binding(1) var<storage> entries: array<i32>;
@group(0) @binding(2) var<storage> links: array<EntryLink>;
@group(0) @binding(3) var<storage> run_boxes: array<vec4<i32>>;
@group(0) @binding(4) var<storage> suffix_boxes: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> group_boxes: array<vec4<f32>>;

// Two binary trees in heap order, the root at 1 and the leaves starting at WORKGROUP_SIZE: one over
// the entries of the partition, and one over the partitions.
var<workgroup> trees: array<vec4<f32>, 4u * WORKGROUP_SIZE>;
const ENTRIES = 0u;
const PARTITIONS = 2u * WORKGROUP_SIZE;

// Builds both trees, each invocation with its own leaf of each. Ends with a barrier.
fn build_trees(local: u32, entry_box: vec4<f32>, partition_box: vec4<f32>) {
    trees[ENTRIES + WORKGROUP_SIZE + local] = entry_box;
    trees[PARTITIONS + WORKGROUP_SIZE + local] = partition_box;
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        workgroupBarrier();
        // A level of the first tree, followed by the same level of the second.
        if local < 2u * width {
            let tree = select(ENTRIES, PARTITIONS, local >= width);
            let node = width + (local & (width - 1u));
            trees[tree + node] = join(trees[tree + 2u * node], trees[tree + 2u * node + 1u]);
        }
    }
    workgroupBarrier();
}

// The union of the leaves low..high of a tree.
fn range_union(tree: u32, low: u32, high: u32) -> vec4<f32> {
    var box = EMPTY;
    var l = low + WORKGROUP_SIZE;
    var h = high + WORKGROUP_SIZE;
    // A node at an end of the range counts by itself if its parent is not inside: if it is a right
    // child at the low end, or a left child at the high end.
    while l < h {
        if (l & 1u) != 0u {
            box = join(box, trees[tree + l]);
            l += 1u;
        }
        if (h & 1u) != 0u {
            h -= 1u;
            box = join(box, trees[tree + h]);
        }
        l >>= 1u;
        h >>= 1u;
    }
    return box;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n_partitions = config.n_partitions;
    let index = part * WORKGROUP_SIZE + local;
    var run_box = EMPTY;
    if index < config.n_entries {
        run_box = f32_from_ordered(run_boxes[index]);
    }
    var partition_box = EMPTY;
    if local < n_partitions {
        partition_box = suffix_boxes[local * WORKGROUP_SIZE];
    }
    build_trees(local, run_box, partition_box);

    if index >= config.n_entries {
        return;
    }
    let partner = links[index].partner;
    if entry_is_begin(entries[index]) {
        if partner < 0 {
            // A node without an end lasts to the end of the scene.
            group_boxes[index] =
                join(suffix_boxes[index], range_union(PARTITIONS, part + 1u, n_partitions));
        }
        return;
    }
    if partner < 0 {
        group_boxes[index] = EMPTY;
        return;
    }
    let begin = u32(partner);
    let source = begin / WORKGROUP_SIZE;
    var box = EMPTY;
    if source == part {
        box = range_union(ENTRIES, begin % WORKGROUP_SIZE, local);
    } else {
        box = join(suffix_boxes[begin], range_union(PARTITIONS, source + 1u, part));
        box = join(box, range_union(ENTRIES, 0u, local));
    }
    group_boxes[index] = box;
    group_boxes[begin] = box;
}
