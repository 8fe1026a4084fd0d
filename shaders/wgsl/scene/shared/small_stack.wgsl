// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: FIRST_BOXES, OTHER_BOXES, OpenBegin, SmallStack, TURN, ancestors, deepest
// provides: depth_of, end_of_begin, find_stack, n_closed_from, n_open_from, pool, prefix_sum
// provides: rank_of, shallowest, stretches_then

// The stack around each element of a partition of 256 elements: the begins that are open there, and
// the intersection of their boxes. One element per invocation. Each round of a scan adds four
// terms, because barriers dominate the time of a small scene.
//
// The elements before the partition are divided into stretches. A stretch is an earlier partition,
// summarised by small_summary. With `direct`, it is 16 elements, whose tags an invocation reads
// itself.
//
// The pool has three parts of 256 vectors, P0, P1, P2. Boxes alternate between P1 and P2 from round
// to round.
//
// | phase          | P0                             | P1, P2                         | barriers |
// |----------------|--------------------------------|--------------------------------|----------|
// | scan           | sums of stretches and elements | P1: alternate copy of P0       | 5        |
// | search         | read                           | P2: tree of depths             | 5        |
// | begins outside | read                           | open begins per stretch        | up to 4  |
// | ancestors      | read                           | boxes of chains of ancestors   | up to 13 |

#import aabb
#import bic
#import grid
#import small_partition

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

// In two halves. For the search, the second half has the depth before each element. Then the first
// half has the begin that the search found, and both halves alternately have the next ancestor in
// the chain of each element. -1 if that is outside.
var<workgroup> ancestors: array<i32, 2u * WORKGROUP_SIZE>;

fn leaf_depth(element: u32) -> i32 {
    return ancestors[WORKGROUP_SIZE + element];
}

#import depth_pool

// The end of each begin, or WORKGROUP_SIZE if it is not in the partition.
var<workgroup> end_of_begin: array<u32, WORKGROUP_SIZE>;
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

// Component w of the entry that is `length` elements before this one, or 0 if there is none.
fn prefix_sum(half: u32, element: u32, length: u32) -> i32 {
    return select(0, pool[half + max(element, length) - length].w, element >= length);
}

// The stack around an element.
struct SmallStack {
    // The entries of the node stream before the partition, and before the element in it.
    first_node: u32,
    rank: u32,
    // The number of open begins minus that before the partition, around the element and for the
    // shallowest element.
    depth: i32,
    lowest: i32,
    // The innermost open begin as an index into the node stream, or -1.
    parent: i32,
    // The intersection of the boxes of all open begins. It may be inverted.
    clip_box: vec4<f32>,
    // For an end: its begin as an index into the node stream, and as an element of the partition.
    // -1 if there is none.
    partner: i32,
    begin: i32,
    // If the begin is in an earlier partition, that partition in bits 16..32, and the begin as an
    // index into the node stream. Otherwise NO_CROSSING.
    crossing: u32,
    // The part of the pool that was written last. It is still being read.
    half: u32,
}

// Finds the stack around the element of each invocation, after the element if it is an end. Fills
// `end_of_begin`.
fn find_stack(part: u32, local: u32, is_begin: bool, is_end: bool, own_box: vec4<f32>) -> SmallStack {
    let is_node = is_begin || is_end;
    var sum = vec4(0);
    let n_before = part * STRETCHES_PER_PARTITION;
    if local < n_before {
        sum = read_stretch(local);
    }
    let n_left_open = i32(u32(sum.x) & 0xffffu);
    if local == 0u {
        atomicStore(&deepest, -256);
        atomicStore(&shallowest, 256);
    }
    end_of_begin[local] = WORKGROUP_SIZE;

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
    ancestors[WORKGROUP_SIZE + local] = depth;
    build_depths(local);

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
        end_of_begin[found] = local;
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
    return SmallStack(
        n_nodes_before,
        rank,
        depth,
        lowest,
        outer_begin,
        clip_box,
        partner,
        found,
        source_of_begin,
        half,
    );
}
