// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: small_resolve
// shader: small_resolve_direct: direct
// shader: small_resolve_single: direct single

// Stage fused for small scenes, results: the links and the clip box of every entry of the node
// stream, the clipped box of every leaf, and the group box of every node that begins and ends in
// the partition. For the other nodes, the union of their leaves in this partition. One element per
// invocation. With `single`, there is only one partition, and the node stream and the ranks are
// stored here instead of in small_stitch.
//
// After small_stack, the last phase alternates between P1 and P2 of its pool, with 5 barriers: the
// unions of 1, 4, 16, ... elements.
//
// The caller announces the number of begins and ends, `config.n_nodes`. If the tags have more,
// nothing is stored for the excess, and the other results have no meaning.

#import aabb
#import bic
#import config
#import grid
#import node
#import small_elements
#import small_partition

#ifdef single
@group(0) @binding(3) var<storage, read_write> nodes: array<i32>;
@group(0) @binding(4) var<storage, read_write> node_ranks: array<u32>;
#else
@group(0) @binding(3) var<storage, read_write> small_summaries: array<SmallSummary>;
@group(0) @binding(4) var<storage, read_write> small_partitions: array<SmallPartition>;
#endif
@group(0) @binding(5) var<storage, read_write> links: array<NodeLink>;
@group(0) @binding(6) var<storage, read_write> clip_boxes: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> group_boxes: array<vec4<f32>>;

#import small_stack

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let index = part * WORKGROUP_SIZE + local;
    let tag = tag_of(index);
    var own_box = PLANE;
    if index < config.n_elements {
        own_box = box_of_element(index);
    }
    let is_begin = tag == TAG_BEGIN;
    let is_end = tag == TAG_END;
    let is_node = is_begin || is_end;
    let stack = find_stack(part, local, is_begin, is_end, own_box);
    let place = stack.first_node + stack.rank;
    var clip_box = stack.clip_box;
    var partner = stack.partner;
    var covered = EMPTY;
    if !is_node && tag != TAG_NOP {
        covered = canonical(meet(clip_box, own_box));
        clipped_boxes[index] = covered;
    }
    if is_begin {
        clip_box = meet(clip_box, own_box);
        if end_of_begin[local] < WORKGROUP_SIZE {
            partner = i32(stack.first_node + rank_of(end_of_begin[local]));
        }
    }
    // Nothing is stored for nodes that the caller has not announced.
    let is_stored = is_node && place < config.n_nodes;
    if is_stored {
        links[place] = NodeLink(stack.parent, partner);
        clip_boxes[place] = canonical(clip_box);
    }

    // Unions: a range of elements is covered by up to four ranges, possibly overlapping, whose
    // length is a power of four.
    var from_element = local;
    var n_inside = 0u;
    if is_end && partner >= 0 {
        from_element = u32(max(stack.begin, 0));
        n_inside = local - from_element;
    }
    if is_begin && partner < 0 {
        n_inside = WORKGROUP_SIZE - local;
    }
    var group_box = EMPTY;
    for (var length = 1u; length <= WORKGROUP_SIZE; length *= 4u) {
        share_box(local, covered);
        workgroupBarrier();
        if n_inside >= length && n_inside < 4u * length {
            let last = n_inside - length;
            let low = join(shared_box(from_element), shared_box(from_element + min(length, last)));
            group_box = join(low, join(shared_box(from_element + min(2u * length, last)), shared_box(from_element + last)));
        }
        let at = min(vec3(local) + vec3(1u, 2u, 3u) * length, vec3(WORKGROUP_SIZE - 1u));
        covered = join(join(covered, shared_box(at.x)), join(shared_box(at.y), shared_box(at.z)));
    }
    if is_stored && (is_end || partner < 0) {
        group_boxes[place] = group_box;
        if is_end && stack.begin >= 0 {
            group_boxes[partner] = group_box;
        }
    }
#ifdef single
    if index < config.n_elements {
        node_ranks[index] = min(place, config.n_nodes);
    }
    if is_stored {
        nodes[place] = select(~i32(index), i32(index), is_begin);
    }
#else
    let kind = select(0u, select(KIND_END, KIND_BEGIN, is_begin), is_stored);
    small_partitions[part].node_ranks[local] = min(place, config.n_nodes) | (kind << 30u);
    small_partitions[part].begins[local] = select(NO_CROSSING, stack.crossing, is_stored);
    if local == 0u {
        small_summaries[part].total_box = covered;
        small_summaries[part].first_node = stack.first_node;
    }
#ifdef direct
    // The slice and the bicyclic sum, for small_stitch.
    if is_begin && end_of_begin[local] == WORKGROUP_SIZE {
        small_partitions[part].slice[stack.depth - stack.lowest] = stack.rank;
    }
    if local == WORKGROUP_SIZE - 1u {
        small_summaries[part].bic = Bic(u32(-stack.lowest), u32(stack.depth + i32(is_begin) - i32(is_end) - stack.lowest));
    }
#endif
#endif
}
