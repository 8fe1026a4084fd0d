// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: small_resolve
// shader: small_resolve_direct: direct

// Stage fused for small scenes, results: the links and the clip box of every entry of the node
// stream, the clipped box of every leaf, and the group box of every node that begins and ends in
// the partition. For the other nodes, the union of their leaves in this partition. One element per
// invocation.
//
// The elements before the partition count in stretches. A stretch is an earlier partition,
// summarised by small_reduce. With `direct`, it is 16 elements, whose tags each invocation reads
// itself.
//
// The pool has three parts of 256 vectors, P0, P1, P2. Boxes alternate between P1 and P2 from round
// to round.
//
// | phase          | P0                             | P1, P2                             | barriers |
// |----------------|--------------------------------|------------------------------------|----------|
// | scan           | sums of stretches and elements | P1: alternate copy of P0           | 5        |
// | search         | read                           | P2: tree of depths                 | 5        |
// | begins outside | read                           | open begins per stretch            | up to 4  |
// | ancestors      | read                           | boxes of chains of ancestors       | up to 9  |
// | unions         | read                           | unions of 1, 4, 16, ... elements   | 5        |
//
// The caller announces the number of begins and ends, `config.n_nodes`. If the tags have more,
// nothing is stored for the excess, and the other results have no meaning.

#import aabb
#import bic
#import config
#import grid
#import node
#import small_partition
#import tag_quad

@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> small_summaries: array<SmallSummary>;
@group(0) @binding(4) var<storage, read_write> small_partitions: array<SmallPartition>;
@group(0) @binding(5) var<storage, read_write> links: array<NodeLink>;
@group(0) @binding(6) var<storage, read_write> clip_boxes: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> group_boxes: array<vec4<f32>>;

// An entry of P0 after the scan:
//
// - x, y: for the stretches from this one up to the partition, the packed bicyclic sum and the
//   number of nodes;
// - z: for a stretch of 16 elements, the set of begins that it leaves open, and in the high half
//   the set of its nodes;
// - w: for the elements of the partition up to this one, the depth after them, and in the high half
//   the number of nodes.
var<workgroup> pool: array<vec4<i32>, 3u * WORKGROUP_SIZE>;
const FIRST_BOXES = WORKGROUP_SIZE;
const OTHER_BOXES = 2u * WORKGROUP_SIZE;
const TURN = FIRST_BOXES ^ OTHER_BOXES;
const DEPTHS_AT = OTHER_BOXES;

#import box_pool
#import depth_pool

// First the begin that the search found for each element. Then, in two halves, the next ancestor in
// its chain. -1 if that is outside.
var<workgroup> ancestors: array<i32, 2u * WORKGROUP_SIZE>;
// The end of each begin, or WORKGROUP_SIZE if it is not in the partition.
var<workgroup> ends: array<u32, WORKGROUP_SIZE>;
var<workgroup> deepest: atomic<i32>;
var<workgroup> shallowest: atomic<i32>;

fn depth_of(sum: i32) -> i32 {
    return (sum << 16u) >> 16u;
}

// The rank of an entry of the node stream within the partition.
fn rank_of(element: u32) -> u32 {
    let sum = pool[element].w;
    return u32((sum - depth_of(sum)) >> 16u) - 1u;
}

fn stretches_then(x: vec4<i32>, y: vec4<i32>) -> vec4<i32> {
    return vec4(i32(packed_then(u32(x.x), u32(y.x))), x.y + y.y, x.z, 0);
}

// In the stretches from this one up to the partition: the number of begins that stay open, and the
// number of ends without a begin.
fn n_open_from(stretch: u32) -> i32 {
    return i32(u32(pool[stretch].x) & 0xffffu);
}

fn n_closed_from(stretch: u32) -> i32 {
    return i32(u32(pool[stretch].x) >> 16u);
}

// A begin on the stack before the partition: its stretch, and its index among the begins that the
// stretch leaves open.
struct OpenBegin {
    stretch: u32,
    slot: i32,
}

#ifdef direct
#import stretch_of_tags
#else
#import stretch_of_partition
#endif

// The sum of the elements up to the one `length` before this one.
fn prefix_sum(half: u32, element: u32, length: u32) -> i32 {
    return select(0, pool[half + max(element, length) - length].w, element >= length);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let index = part * WORKGROUP_SIZE + local;
    var tag = TAG_NOP;
    var own_box = PLANE;
    if index < config.n_elements {
        tag = draw_tags[index / 4u][index % 4u];
        own_box = element_boxes[index];
    }
    var sum = vec4(0);
    let n_before = part * STRETCHES_PER_PARTITION;
    if local < n_before {
        sum = read_stretch(local);
    }
    let n_left_open = i32(u32(sum.x) & 0xffffu);
    let is_begin = tag == TAG_BEGIN;
    let is_end = tag == TAG_END;
    let is_node = is_begin || is_end;
    let is_leaf = !is_node && tag != TAG_NOP;
    if local == 0u {
        atomicStore(&deepest, -256);
        atomicStore(&shallowest, 256);
    }
    ends[local] = WORKGROUP_SIZE;

    // Scan: the elements of the partition forward, and the stretches before it backward. The last
    // invocation has no stretch.
    let change = i32(is_begin) - i32(is_end);
    sum.w = change + i32(u32(is_node) << 16u);
    var half = 0u;
    pool[local] = sum;
    workgroupBarrier();
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 4u) {
        let at = half + min(vec3(local) + vec3(1u, 2u, 3u) * length, vec3(WORKGROUP_SIZE - 1u));
        let before = prefix_sum(half, local, length) + prefix_sum(half, local, 2u * length) + prefix_sum(half, local, 3u * length);
        let w = sum.w + before;
        sum = stretches_then(stretches_then(sum, pool[at.x]), stretches_then(pool[at.y], pool[at.z]));
        sum.w = w;
        half ^= WORKGROUP_SIZE;
        pool[half + local] = sum;
        workgroupBarrier();
    }
    let depth = depth_of(sum.w) - change;
    let n_nodes_before = u32(pool[0].y);
    let rank = u32((sum.w - depth_of(sum.w)) >> 16u) - u32(is_node);
    let place = n_nodes_before + rank;
    atomicMax(&deepest, depth);
    // An end can be the last element, so the depth after it counts too.
    atomicMin(&shallowest, min(depth, depth + change));
    // The intersection of the begins of a stretch that stay open up to this partition.
    var open_box = PLANE;
    if local < n_before {
        let n_closed = n_closed_from(local + 1u);
        if n_left_open > n_closed {
            open_box = slice_box_of(OpenBegin(local, n_left_open - n_closed - 1));
        }
    }
    build_depths(local, depth);

    // Search: the last earlier element with a smaller depth is the begin around this one or, for an
    // end, its own begin.
    let found = last_below(local, depth);
    ancestors[local] = found;
    half = FIRST_BOXES;
    set_pool_box(half + local, open_box);
    workgroupBarrier();
    var parent = found;
    var partner = -1;
    var source_of_begin = NO_CROSSING;
    var outer_begin = -1;
    var clip_box = PLANE;
    // Begins outside of the partition. The stretches before `below` hold the begins below `outer`.
    var below = 0u;
    if is_end && found >= 0 {
        parent = ancestors[found];
        ends[found] = local;
        partner = i32(n_nodes_before + rank_of(u32(found)));
    }
    if parent < 0 && part > 0u {
        // The level of the enclosing begin below the top of the stack before the partition. The
        // begin of an end is one level above.
        let level = select(-depth, 1 - depth, is_end);
        // The first stretches such that the stretches starting at them leave no more begins open
        // than that. The number never decreases to the left.
        var low = vec2(0u);
        var high = vec2(n_before);
        while any(low < high) {
            let middle = (low + high) / 2u;
            let n_open = vec2(n_open_from(middle.x), n_open_from(middle.y));
            let is_right = n_open > vec2(level, level - 1);
            low = select(low, middle + 1u, is_right & (low < high));
            high = select(middle, high, is_right | (low >= high));
        }
        if low.x > 0u {
            below = low.x - 1u;
            let outer = OpenBegin(below, n_open_from(below) - 1 - level);
            clip_box = slice_box_of(outer);
            outer_begin = node_of(outer);
        }
        if is_end && found < 0 && low.y > 0u {
            let own = OpenBegin(low.y - 1u, n_open_from(low.y - 1u) - level);
            partner = node_of(own);
            source_of_begin = ((own.stretch / STRETCHES_PER_PARTITION) << 16u) | u32(partner);
        }
    }
    // For each stretch, the intersection of its open begins and those of all earlier stretches.
    for (var length = 1u; length < n_before; length *= 4u) {
        open_box = meet(open_box, pool_box(half + max(local, length) - length));
        let low = meet(
            pool_box(half + max(local, 2u * length) - 2u * length),
            pool_box(half + max(local, 3u * length) - 3u * length),
        );
        open_box = meet(open_box, low);
        half ^= TURN;
        set_pool_box(half + local, open_box);
        workgroupBarrier();
    }
    let lowest = workgroupUniformLoad(&shallowest);
    let n_levels = u32(workgroupUniformLoad(&deepest) - lowest + 1);
    if below > 0u {
        clip_box = meet(pool_box(half + below - 1u), clip_box);
    }
    half ^= TURN;
    set_pool_box(half + local, own_box);
    workgroupBarrier();
    if parent >= 0 {
        outer_begin = i32(n_nodes_before + rank_of(u32(parent)));
        clip_box = pool_box(half + u32(parent));
    }

    // Ancestors: by pointer jumping, the clip box contains 2^r ancestors after round r.
    var ancestor = parent;
    for (var reached = 1u; reached < n_levels; reached <<= 1u) {
        half ^= TURN;
        set_pool_box(half + local, clip_box);
        ancestors[half - FIRST_BOXES + local] = ancestor;
        workgroupBarrier();
        if ancestor >= 0 {
            clip_box = meet(pool_box(half + u32(ancestor)), clip_box);
            ancestor = ancestors[half - FIRST_BOXES + u32(ancestor)];
        }
    }
    var covered = EMPTY;
    if is_leaf {
        covered = canonical(meet(clip_box, own_box));
        clipped_boxes[index] = covered;
    }
    if is_begin {
        clip_box = meet(clip_box, own_box);
        if ends[local] < WORKGROUP_SIZE {
            partner = i32(n_nodes_before + rank_of(ends[local]));
        }
    }
    // Nothing is stored for nodes that the caller has not announced.
    let is_stored = is_node && place < config.n_nodes;
    if is_stored {
        links[place] = NodeLink(outer_begin, partner);
        clip_boxes[place] = canonical(clip_box);
    }

    // Unions: a range of elements is covered by up to four ranges, possibly overlapping, whose
    // length is a power of four.
    var from_element = local;
    var n_inside = 0u;
    if is_end && partner >= 0 {
        from_element = u32(max(found, 0));
        n_inside = local - from_element;
    }
    if is_begin && partner < 0 {
        n_inside = WORKGROUP_SIZE - local;
    }
    var group_box = EMPTY;
    for (var length = 1u; length <= WORKGROUP_SIZE; length *= 4u) {
        half ^= TURN;
        set_pool_box(half + local, covered);
        workgroupBarrier();
        if n_inside >= length && n_inside < 4u * length {
            let first = half + from_element;
            let last = n_inside - length;
            let low = join(pool_box(first), pool_box(first + min(length, last)));
            group_box = join(low, join(pool_box(first + min(2u * length, last)), pool_box(first + last)));
        }
        let at = half + min(vec3(local) + vec3(1u, 2u, 3u) * length, vec3(WORKGROUP_SIZE - 1u));
        covered = join(join(covered, pool_box(at.x)), join(pool_box(at.y), pool_box(at.z)));
    }
    if is_stored && (is_end || partner < 0) {
        group_boxes[place] = group_box;
        if is_end && found >= 0 {
            group_boxes[partner] = group_box;
        }
    }
    let kind = select(0u, select(KIND_END, KIND_BEGIN, is_begin), is_stored);
    small_partitions[part].node_ranks[local] = min(place, config.n_nodes) | (kind << 30u);
    small_partitions[part].begins[local] = select(NO_CROSSING, source_of_begin, is_stored);
    if local == 0u {
        small_summaries[part].total_box = covered;
        small_summaries[part].first_node = n_nodes_before;
    }
#ifdef direct
    // The slice and the bicyclic sum, for small_stitch.
    if is_begin && ends[local] == WORKGROUP_SIZE {
        small_partitions[part].slice[depth - lowest] = rank;
    }
    if local == WORKGROUP_SIZE - 1u {
        small_summaries[part].bic = Bic(u32(-lowest), u32(depth + change - lowest));
    }
#endif
}
