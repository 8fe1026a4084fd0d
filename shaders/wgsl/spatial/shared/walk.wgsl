// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: visit, wants
// provides: node_boxes, node_spans, walk

// A walk over the tree of stage index, without a stack of nodes. The importing file declares:
//
// - `wants(box, span)`: whether a node with this box and this interval of indices can have leaves
//   that matter. It must be false for nodes without boxes. For a leaf, the interval is its index,
//   twice.
// - `visit(box, span)`: takes a leaf that is wanted, and returns whether the walk ends.
//
// `wants` is called for all siblings, and then `visit` for the leaves among them, so that the
// answer may have changed in between.
//
// Leaves are visited in ascending order of their places. With `latest_first`, the first child is
// the one with the largest index of a box, and the others follow in descending order of their
// places. That finds boxes with large indices early.

#import packed_tree

@group(0) @binding(11) var<storage> node_boxes: array<vec4<f32>>;
// The intervals of two siblings in each vector.
@group(0) @binding(12) var<storage> node_spans: array<vec4<u32>>;

// The number of heights whose siblings have their bits in the first of two words.
const LOW_HEIGHTS = 6u;

fn walk() {
    // The first child of the node whose children are next, and their height.
    var child = 4u;
    var height = tree.height - 1u;
    // The siblings that are still wanted, four bits for each height: of heights 1 to 6, and of 7
    // to 14.
    var low = 0u;
    var high = 0u;
    // Each round visits the children of a different node above the leaves. There are fewer such
    // nodes than `first_leaf`.
    for (var round = 0u; round < tree.first_leaf; round++) {
        let slot = siblings_slot(child);
        var boxes_below: array<vec4<f32>, 4>;
        #repeat i 4
        boxes_below[$i] = node_boxes[slot + $i];
        #endrepeat
        let first_spans = node_spans[slot / 2u];
        let last_spans = node_spans[slot / 2u + 1u];
        var spans: array<vec2<u32>, 4>;
        spans[0u] = first_spans.xy;
        spans[1u] = first_spans.zw;
        spans[2u] = last_spans.xy;
        spans[3u] = last_spans.zw;
        var wanted = 0u;
        #repeat i 4
        wanted |= u32(wants(boxes_below[$i], spans[$i])) << $i;
        #endrepeat
        if height == 0u {
            #repeat i 4
            if ((wanted >> $i) & 1u) != 0u && visit(boxes_below[$i], spans[$i]) {
                return;
            }
            #endrepeat
        } else {
#ifdef latest_first
            let is_next = wanted != 0u;
            var next_sibling = 0u;
            var latest = 0u;
            #repeat i 4
            if ((wanted >> $i) & 1u) != 0u && spans[$i].y >= latest {
                latest = spans[$i].y;
                next_sibling = $i;
            }
            #endrepeat
            wanted &= ~(1u << next_sibling);
#endif
            if height <= LOW_HEIGHTS {
                low |= wanted << (4u * height - 4u);
            } else {
                high |= wanted << (4u * height - 4u * LOW_HEIGHTS - 4u);
            }
#ifdef latest_first
            if is_next {
                child = 4u * (child + next_sibling);
                height -= 1u;
                continue;
            }
#endif
        }
        if (low | high) == 0u {
            return;
        }
        // The next of the lowest siblings that are wanted. They are siblings of an ancestor.
        let is_low = low != 0u;
        let word = select(high, low, is_low);
        let shift = firstTrailingBit(word) & ~3u;
#ifdef latest_first
        let sibling = firstLeadingBit((word >> shift) & 15u);
#else
        let sibling = firstTrailingBit(word) & 3u;
#endif
        let taken = word ^ (1u << (shift + sibling));
        low = select(low, taken, is_low);
        high = select(taken, high, is_low);
        let next_height = shift / 4u + select(LOW_HEIGHTS + 1u, 1u, is_low);
        let first_sibling = (child >> (2u * (next_height - height))) & ~3u;
        child = 4u * (first_sibling | sibling);
        height = next_height - 1u;
    }
}
