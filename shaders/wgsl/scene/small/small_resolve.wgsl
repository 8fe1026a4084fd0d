// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: small_resolve
// shader: small_resolve_single: direct single

// Stage fused for small scenes, results: the links and the clip box of every entry of the node
// stream, the clipped box of every element (EMPTY unless it is a leaf), and the group box of every
// node that begins and ends in the partition. Every other node gets the union of its leaves in this
// partition. One element per invocation. With `single`, there is only one partition, and the node
// stream and the ranks are stored here instead of in small_stitch.
//
// After small_stack, its pool holds:
//
// | phase         | P0   | P1, P2                                       | barriers |
// |---------------|------|----------------------------------------------|----------|
// | store boxes   | read | the last boxes of small_stack are still read | 0        |
// | unions        | -    | unions of 1, 4, 16 ... elements, alternately | 5        |
// | store groups  | -    | -                                            | 0        |
// | store entries | -    | -                                            | 0        |
// | store summary | -    | -                                            | 0        |
//
// The caller announces the number of begins and ends, `config.n_entries`. If the tags have more,
// nothing is stored for the excess, and the other results have no meaning.

#import aabb
#import box_pool
#import config
#import grid
#import entry
#import small_elements
#import small_partition

#ifdef single
@group(0) @binding(3) var<storage, read_write> entries: array<i32>;
@group(0) @binding(4) var<storage, read_write> ranks: array<u32>;
#else
@group(0) @binding(3) var<storage, read_write> small_summaries: array<SmallSummary>;
@group(0) @binding(4) var<storage, read_write> small_partitions: array<SmallPartition>;
#endif
@group(0) @binding(5) var<storage, read_write> links: array<EntryLink>;
@group(0) @binding(6) var<storage, read_write> clip_boxes: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> group_boxes: array<vec4<f32>>;

#import small_stack

// Unions of clipped boxes.
struct Unions {
    // The elements inside the node.
    inside: vec4<f32>,
    // All elements of the partition starting at this one.
    onward: vec4<f32>,
}

// Phase "unions": the unions of `n_inside` elements starting at `first`, and of all elements
// starting at this one. `own` is the clipped box of a leaf, or EMPTY. Each of the 5 rounds has a
// barrier.
//
// Round r shares the union of the 4^r elements starting at each one. Up to four such unions,
// possibly overlapping, cover any range.
fn unions_of_elements(local: u32, own: vec4<f32>, first: u32, n_inside: u32) -> Unions {
    var covered = own;
    var inside = EMPTY;
    for (var length = 1u; length <= WORKGROUP_SIZE; length *= 4u) {
        share_box(local, covered);
        workgroupBarrier();
        if n_inside >= length && n_inside < 4u * length {
            let start = boxes_at + first;
            let last = n_inside - length;
            let low = join(pool_box(start), pool_box(start + min(length, last)));
            inside = join(low, join(pool_box(start + min(2u * length, last)), pool_box(start + last)));
        }
        let at = boxes_at + min(vec3(local) + vec3(1u, 2u, 3u) * length, vec3(WORKGROUP_SIZE - 1u));
        covered = join(join(covered, pool_box(at.x)), join(pool_box(at.y), pool_box(at.z)));
    }
    return Unions(inside, covered);
}

#ifdef single
// Phase "store entries": the entry of the node stream, and the rank of the element. `kind` is 0 if
// the element is not a stored entry. No barrier.
fn store_entries(part: u32, local: u32, stack: SmallStack, kind: u32) {
    let index = part * WORKGROUP_SIZE + local;
    let place = stack.first_entry + stack.rank;
    if index < config.n_elements {
        ranks[index] = min(place, config.n_entries);
    }
    if kind != 0u {
        entries[place] = select(~i32(index), i32(index), kind == KIND_BEGIN);
    }
}
#else
// Phase "store entries": the rank of the element and the crossing of an end, for small_stitch.
// `kind` is 0 if the element is not a stored entry. No barrier.
fn store_entries(part: u32, local: u32, stack: SmallStack, kind: u32) {
    let place = stack.first_entry + stack.rank;
    small_partitions[part].ranks[local] = min(place, config.n_entries) | (kind << 30u);
    small_partitions[part].begins[local] = select(NO_CROSSING, stack.crossing, kind != 0u);
}

// Phase "store summary": the fields of the partition that small_stitch reads, besides those that
// small_reduce has stored. No barrier.
fn store_summary(part: u32, local: u32, stack: SmallStack, total_box: vec4<f32>) {
    if local == 0u {
        small_summaries[part].total_box = total_box;
        small_summaries[part].first_entry = stack.first_entry;
    }
}
#endif

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
    let is_entry = is_begin || is_end;
    let stack = find_stack(part, local, is_begin, is_end, own_box);
    let place = stack.first_entry + stack.rank;
    // Nothing is stored for entries that the caller has not announced.
    let is_stored = is_entry && place < config.n_entries;

    // Phase "store boxes": the clipped box, which is EMPTY unless the element is a leaf, and the
    // links and the clip box of an entry.
    var clip_box = stack.clip_box;
    var partner = stack.partner;
    var covered = EMPTY;
    if !is_entry && tag != TAG_NOP {
        covered = canonical(meet(clip_box, own_box));
    }
    if index < config.n_elements {
        clipped_boxes[index] = covered;
    }
    if is_begin {
        clip_box = meet(clip_box, own_box);
        if end_of_begin[local] < WORKGROUP_SIZE {
            partner = i32(stack.first_entry + rank_of(end_of_begin[local]));
        }
    }
    if is_stored {
        links[place] = EntryLink(stack.parent, partner);
        clip_boxes[place] = canonical(clip_box);
    }

    // The elements inside the node. For an end, they start at its begin, or with the partition if
    // the begin is in an earlier one. For a begin without an end, all later elements are inside.
    var first = local;
    var n_inside = 0u;
    if is_end && partner >= 0 {
        first = u32(max(stack.begin, 0));
        n_inside = local - first;
    }
    if is_begin && partner < 0 {
        n_inside = WORKGROUP_SIZE - local;
    }
    let unions = unions_of_elements(local, covered, first, n_inside);

    // Phase "store groups": an end also stores the group box of its begin.
    if is_stored && (is_end || partner < 0) {
        group_boxes[place] = unions.inside;
        if is_end && stack.begin >= 0 {
            group_boxes[partner] = unions.inside;
        }
    }

    store_entries(part, local, stack, select(0u, select(KIND_END, KIND_BEGIN, is_begin), is_stored));
#ifndef single
    store_summary(part, local, stack, unions.onward);
#endif
}
