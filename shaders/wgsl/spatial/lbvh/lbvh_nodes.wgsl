// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage lbvh: the nodes of a binary tree over sorted keys. Karras, *Maximizing parallelism in the
// construction of BVHs, octrees, and k-d trees*, 2012. An invocation finds the range of a node by
// two searches. The box of the node is read off the packed tree, which has the same leaves, so that
// no invocation waits for another.

#import aabb
#import grid
#import n_items
#import index_config
#import packed_tree

@group(0) @binding(2) var<storage> sorted_keys: array<u32>;
@group(0) @binding(3) var<storage> node_boxes: array<vec4<f32>>;
// The children, the rope, and the other end of the range of each node.
@group(0) @binding(4) var<storage, read_write> lbvh_links: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> lbvh_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> leaf_ropes: array<u32>;

const LEAF = 0x80000000u;
const NO_ROPE = 0xffffffffu;

// The number of leading bits that two keys share. If the keys are equal, their places are compared
// too. -1 if j does not exist.
fn common_bits(i: i32, j: i32, n: i32) -> i32 {
    if j < 0 || j >= n {
        return -1;
    }
    let differing = sorted_keys[i] ^ sorted_keys[j];
    if differing == 0u {
        return 32 + i32(countLeadingZeros(u32(i ^ j)));
    }
    return i32(countLeadingZeros(differing));
}

// The rope of a node whose range ends at `last`: the node with the longest range that begins at
// `last + 1`.
fn rope_after(last: i32, n: i32) -> u32 {
    if last + 1 >= n {
        return NO_ROPE;
    }
    let is_node = common_bits(last + 1, last, n) < common_bits(last + 1, last + 2, n);
    return select(u32(last + 1) | LEAF, u32(last + 1), is_node);
}

// The union of the boxes of the leaves from one place up to another.
fn union_of(first: u32, last: u32) -> vec4<f32> {
    var all = EMPTY;
    var begin = first;
    var end = last + 1u;
    for (var height = 0u; height < tree.height && begin < end; height++) {
        let slot = select(first_id(height), tree.first_leaf, height == 0u);
        #repeat i 3
        if (begin & 3u) != 0u && begin < end {
            all = join(all, node_boxes[slot + begin]);
            begin += 1u;
        }
        #endrepeat
        #repeat i 3
        if (end & 3u) != 0u && begin < end {
            end -= 1u;
            all = join(all, node_boxes[slot + end]);
        }
        #endrepeat
        begin >>= 2u;
        end >>= 2u;
    }
    if begin < end {
        // The root has them all.
        all = join(all, node_boxes[1u]);
    }
    return all;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let place = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n = i32(n_items());
    let i = i32(place);
    if i >= n {
        return;
    }
    leaf_ropes[place] = rope_after(i, n);
    if i + 1 >= n {
        return;
    }
    // The range extends to the side of the neighbour with more common bits.
    let direction = select(-1, 1, common_bits(i, i + 1, n) > common_bits(i, i - 1, n));
    let least = common_bits(i, i - direction, n);
    // An upper bound of its length, then the length.
    var length_bound = 2;
    for (var round = 0; round < 31 && common_bits(i, i + length_bound * direction, n) > least; round++) {
        length_bound *= 2;
    }
    var length = 0;
    for (var step = length_bound / 2; step >= 1; step /= 2) {
        if common_bits(i, i + (length + step) * direction, n) > least {
            length += step;
        }
    }
    let other = i + length * direction;
    // `split` is the distance from i to the farthest place that shares more bits with i than the
    // whole range does. The range is divided behind that place, seen from i.
    let n_common = common_bits(i, other, n);
    var split = 0;
    for (var step = length_bound / 2; step >= 1; step /= 2) {
        if common_bits(i, i + (split + step) * direction, n) > n_common {
            split += step;
        }
    }
    let left = i + split * direction + min(direction, 0);
    let first = min(i, other);
    let last = max(i, other);
    let left_id = select(u32(left), u32(left) | LEAF, left == first);
    let right_id = select(u32(left + 1), u32(left + 1) | LEAF, left + 1 == last);
    lbvh_links[place] = vec4(left_id, right_id, rope_after(last, n), u32(other));
    lbvh_boxes[place] = union_of(u32(first), u32(last));
}
