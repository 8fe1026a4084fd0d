// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: index_pack
// shader: index_pack_paint: paint
// shader: index_pack_inner: inner

// Stage index, the last dispatches: packs boxes into a tree. A workgroup unites 1024 nodes in a row
// to nodes of the next five heights. An invocation has four siblings.
//
// The first of these dispatches collects the leaves: in the order of their keys, or in paint order
// with `paint`. With `inner`, the nodes at the base are results of the dispatch before.

#import aabb
#import grid
#import n_items
#import index_config
#import packed_tree

@group(0) @binding(2) var<storage, read_write> node_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> node_spans: array<vec2<u32>>;
#ifndef inner
@group(0) @binding(4) var<storage> boxes: array<vec4<f32>>;
#ifndef paint
@group(0) @binding(5) var<storage> permutation: array<u32>;
#endif
#endif

const SIBLINGS = 4u;
const PARTITION_LENGTH = SIBLINGS * WORKGROUP_SIZE;
const HEIGHTS = 5u;

struct Node {
    box: vec4<f32>,
    span: vec2<u32>,
}

// The nodes of the next height, then those of the height after it, and so on: 256 + 64 + 16 + 4.
var<workgroup> packed_boxes: array<vec4<f32>, 340>;
var<workgroup> packed_spans: array<vec2<u32>, 340>;

fn unite(a: Node, b: Node) -> Node {
    return Node(join(a.box, b.box), vec2(min(a.span.x, b.span.x), max(a.span.y, b.span.y)));
}

fn packed_node(at: u32) -> Node {
    return Node(packed_boxes[at], packed_spans[at]);
}

fn store(slot: u32, node: Node) {
    node_boxes[slot] = node.box;
    node_spans[slot] = node.span;
}

// Stores a node with its place among the nodes of its height. A partition can extend beyond the
// last one.
fn store_inner(height: u32, place: u32, node: Node) {
    let first = first_id(height);
    if place < first && first + place < tree.first_leaf {
        store(first + place, node);
    }
}

// A node at the base, and its slot if it must be stored, otherwise one that does not exist.
#ifdef inner
fn base_node(place: u32, n: u32) -> Node {
    let slot = min(first_id(config.base_height) + place, tree.first_leaf - 1u);
    if place < n {
        return Node(node_boxes[slot], node_spans[slot]);
    }
    return Node(EMPTY, NO_SPAN);
}
#else
fn base_node(place: u32, n: u32) -> Node {
    if place >= n {
        return Node(EMPTY, NO_SPAN);
    }
#ifdef paint
    let item = place;
#else
    let item = min(permutation[place], config.capacity - 1u);
#endif
    let box = canonical(boxes[item]);
    return Node(box, select(vec2(item), NO_SPAN, box.x >= box.z));
}
#endif

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n_leaves = n_items();
    // Rounded up, without overflow.
    let shift = 2u * config.base_height;
    let n = select(((n_leaves - 1u) >> shift) + 1u, 0u, n_leaves == 0u);
    // The first partition has the root, even if there are no boxes.
    if part > 0u && part * PARTITION_LENGTH >= n {
        return;
    }
    let first = part * PARTITION_LENGTH + SIBLINGS * local;
    var siblings: array<Node, SIBLINGS>;
    #repeat i 4
    siblings[$i] = base_node(first + $i, n);
    #endrepeat
    #repeat i 4
#ifdef inner
    // The siblings of existing nodes exist.
    if first + $i >= n {
        store_inner(config.base_height, first + $i, siblings[$i]);
    }
#else
    if first + $i < ((max(config.capacity, 1u) + SIBLINGS - 1u) & ~(SIBLINGS - 1u)) {
        store(tree.first_leaf + first + $i, siblings[$i]);
    }
#endif
    #endrepeat
    let parent = unite(unite(siblings[0], siblings[1]), unite(siblings[2], siblings[3]));
    packed_boxes[local] = parent.box;
    packed_spans[local] = parent.span;
    store_inner(config.base_height + 1u, part * WORKGROUP_SIZE + local, parent);
    workgroupBarrier();
    var from_node = 0u;
    var height = config.base_height + 2u;
    for (var width = WORKGROUP_SIZE / SIBLINGS; width > 0u && height <= tree.height; width /= SIBLINGS) {
        if local < width {
            let at = from_node + SIBLINGS * local;
            let left = unite(packed_node(at), packed_node(at + 1u));
            let united = unite(left, unite(packed_node(at + 2u), packed_node(at + 3u)));
            if width > 1u {
                packed_boxes[from_node + SIBLINGS * width + local] = united.box;
                packed_spans[from_node + SIBLINGS * width + local] = united.span;
            }
            store_inner(height, part * width + local, united);
        }
        from_node += SIBLINGS * width;
        height += 1u;
        workgroupBarrier();
    }
}
