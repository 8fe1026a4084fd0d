// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: index_pack
// shader: index_pack_paint: paint
// shader: index_pack_inner: inner

// Stage index, the last dispatches: packs boxes into a tree. A workgroup unites 1024 nodes in a row
// to nodes of the next five heights.
//
// Invocation i loads and stores the nodes i, i + 256, and so on, so that neighbours access
// neighbours. Workgroup memory then brings siblings together, for half of the nodes at a time.
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

struct Node {
    box: vec4<f32>,
    span: vec2<u32>,
}

// Half of the nodes at the base. Later the nodes of the next height, then those of the height
// after it, and so on: 256 + 64 + 16 + 4.
const MAX_PACKED = PARTITION_LENGTH / 2u;

var<workgroup> packed_boxes: array<vec4<f32>, MAX_PACKED>;
var<workgroup> packed_spans: array<vec2<u32>, MAX_PACKED>;

fn unite(a: Node, b: Node) -> Node {
    return Node(join(a.box, b.box), vec2(min(a.span.x, b.span.x), max(a.span.y, b.span.y)));
}

fn packed_node(at: u32) -> Node {
    return Node(packed_boxes[at], packed_spans[at]);
}

fn set_packed_node(at: u32, node: Node) {
    packed_boxes[at] = node.box;
    packed_spans[at] = node.span;
}

// The parent of four siblings.
fn parent_of(first: u32) -> Node {
    let left = unite(packed_node(first), packed_node(first + 1u));
    return unite(left, unite(packed_node(first + 2u), packed_node(first + 3u)));
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

// The node at the base with this place. One that does not exist is empty. Loads without conditions
// are in flight at the same time.
fn base_node(place: u32, n: u32) -> Node {
    let existing = min(place, max(n, 1u) - 1u);
#ifdef inner
    let slot = first_id(config.base_height) + existing;
    let node = Node(node_boxes[slot], node_spans[slot]);
#else
#ifdef paint
    let item = existing;
#else
    let item = min(permutation[existing], max(config.capacity, 1u) - 1u);
#endif
    let box = canonical(boxes[item]);
    let node = Node(box, select(vec2(item), NO_SPAN, is_empty(box)));
#endif
    if place < n {
        return node;
    }
    return Node(EMPTY, NO_SPAN);
}

// Stores a node at the base, if it is not there yet.
fn store_base(place: u32, n: u32, node: Node) {
#ifdef inner
    // The siblings of existing nodes exist.
    if place >= n {
        store_inner(config.base_height, place, node);
    }
#else
    if place < ((max(config.capacity, 1u) + SIBLINGS - 1u) & ~(SIBLINGS - 1u)) {
        store(tree.first_leaf + place, node);
    }
#endif
}

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
    let first = part * PARTITION_LENGTH + local;
    var nodes: array<Node, SIBLINGS>;
    #repeat i 4
    nodes[$i] = base_node(first + $i * WORKGROUP_SIZE, n);
    #endrepeat
    #repeat i 4
    store_base(first + $i * WORKGROUP_SIZE, n, nodes[$i]);
    #endrepeat
    var parent: Node;
    #repeat half 2
    set_packed_node(local, nodes[2u * $half]);
    set_packed_node(WORKGROUP_SIZE + local, nodes[2u * $half + 1u]);
    workgroupBarrier();
    if local / (WORKGROUP_SIZE / 2u) == $half {
        parent = parent_of(SIBLINGS * (local % (WORKGROUP_SIZE / 2u)));
    }
    workgroupBarrier();
    #endrepeat
    set_packed_node(local, parent);
    store_inner(config.base_height + 1u, part * WORKGROUP_SIZE + local, parent);
    workgroupBarrier();
    var from_node = 0u;
    var height = config.base_height + 2u;
    for (var width = WORKGROUP_SIZE / SIBLINGS; width > 0u && height <= tree.height; width /= SIBLINGS) {
        if local < width {
            let united = parent_of(from_node + SIBLINGS * local);
            if width > 1u {
                set_packed_node(from_node + SIBLINGS * width + local, united);
            }
            store_inner(height, part * width + local, united);
        }
        from_node += SIBLINGS * width;
        height += 1u;
        workgroupBarrier();
    }
}
