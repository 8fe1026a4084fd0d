// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: OpenBegin, SmallStack, boxes_at, end_of_begin, find_stack, pool, rank_of, share_box

// The stack around each element of a partition of 256 elements: the begins that are open there, and
// the intersection of their boxes. One element per invocation. Each round of a scan adds four
// terms, because barriers dominate the time of a small scene.
//
// The elements before the partition are divided into stretches. Without `direct`, a stretch is an
// earlier partition with a summary from small_summary. With `direct`, it is 16 elements, and an
// invocation reads their tags.
//
// The pool has three parts of 256 vectors, P0, P1, P2. Boxes alternate between P1 and P2 from round
// to round.
//
// | phase          | P0                             | P1, P2                         | barriers |
// |----------------|--------------------------------|--------------------------------|----------|
// | scan           | sums of stretches and elements | P1: alternate copy of P0       | 5        |
// | search         | read                           | P2: tree of depths             | 5        |
// | begins outside | read                           | P1: open begins per stretch    | 0        |
// | boxes outside  | kept                           | boxes of open begins per stretch | up to 4  |
// | ancestors      | kept                           | boxes of chains of ancestors   | up to 14 |

#import aabb
#import bic
#import grid
#import small_partition

// A vector of P0 after the scan:
//
// - x, y: for the stretches from this one up to the partition, the packed bicyclic sum and the
//   number of entries;
// - z: for a stretch of 16 elements, the set of begins that it leaves open, and in the high half
//   the set of its entries;
// - w: for the elements of the partition up to this one, the depth after them, and in the high half
//   the number of entries.
var<workgroup> pool: array<vec4<i32>, 3u * WORKGROUP_SIZE>;
const FIRST_BOXES = WORKGROUP_SIZE;
const OTHER_BOXES = 2u * WORKGROUP_SIZE;
const TURN = FIRST_BOXES ^ OTHER_BOXES;
const DEPTHS_AT = OTHER_BOXES;

#import box_pool

// The part of the pool with the boxes that were shared last: P1 or P2.
var<private> boxes_at: u32 = OTHER_BOXES;

// Shares one box per invocation, in the part without the last boxes. Other invocations may still
// read the last boxes. The first boxes are in P1.
fn share_box(local: u32, box: vec4<f32>) {
    boxes_at ^= TURN;
    set_pool_box(boxes_at + local, box);
}

// A box that was shared last. Needs a barrier after share_box.
fn shared_box(index: u32) -> vec4<f32> {
    return pool_box(boxes_at + index);
}

// In two halves, with three uses: for the search, the second half has the depth before each
// element. After it, the first half has the begin that the search found. Then both halves
// alternately have the next ancestor in the chain of each element. A begin or an ancestor is -1 if
// it is outside.
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

fn n_entries_of(sum: i32) -> u32 {
    return u32((sum - depth_of(sum)) >> 16u);
}

// The rank of an entry of the node stream within the partition.
fn rank_of(element: u32) -> u32 {
    return n_entries_of(pool[element].w) - 1u;
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

// Component w of the vector that is `length` elements before this one, or 0 if there is none.
fn prefix_sum(half: u32, element: u32, length: u32) -> i32 {
    return select(0, pool[half + max(element, length) - length].w, element >= length);
}

// The stack around an element.
struct SmallStack {
    // The entries of the node stream before the partition, and before the element in it.
    first_entry: u32,
    rank: u32,
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
}

// Phase "scan": sums the elements of the partition forward, and the stretches before it backward.
// Fills P0 from the vector of each invocation, and returns component w of the result. The last
// invocation has no stretch. Ends with a barrier.
fn scan_sums(local: u32, own: vec4<i32>) -> i32 {
    var sum = own;
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
    return sum.w;
}

// The intersection of the begins of a stretch that stay open up to the partition. `n_left_open`
// begins are open at the end of the stretch.
fn open_box_of(stretch: u32, n_left_open: i32) -> vec4<f32> {
    var box = PLANE;
    let n_closed = n_closed_from(stretch + 1u);
    if n_left_open > n_closed {
        box = slice_box_of(OpenBegin(stretch, n_left_open - n_closed - 1));
    }
    return box;
}

// Phase "search": the last earlier element with a smaller depth is the begin around this one or,
// for an end, its own begin. Returns it, or -1 if it is outside, and stores it in `ancestors`. Also
// shares the box of a stretch, which the next phases read. Starts and ends with a barrier.
fn begin_around(local: u32, depth: i32, open_box: vec4<f32>) -> i32 {
    ancestors[WORKGROUP_SIZE + local] = depth;
    build_depths(local);
    let found = last_below(local, depth);
    ancestors[local] = found;
    share_box(local, open_box);
    workgroupBarrier();
    return found;
}

// The part of the stack before the partition that an element needs.
struct Outside {
    // The innermost begin around the element, as an index into the node stream, or -1.
    begin: i32,
    // The intersection of the boxes of that begin and the begins below it in its stretch.
    slice_box: vec4<f32>,
    // The number of stretches before the stretch of that begin.
    n_below: u32,
    // `partner` and `crossing` of SmallStack, for an end whose begin is outside.
    partner: i32,
    crossing: u32,
}

const NOTHING_OUTSIDE = Outside(-1, PLANE, 0u, -1, NO_CROSSING);

// Phase "begins outside": finds the begin that is `level` levels below the top of the stack before
// the partition. If `is_own_outside`, the element is an end, and its own begin, one level above, is
// found too. No barrier.
//
// The begin is in the last stretch from which more than `level` begins stay open up to the
// partition. Earlier stretches never have fewer, so a binary search finds the stretch after it.
fn begins_outside(n_stretches: u32, level: i32, is_own_outside: bool) -> Outside {
    // Component x is the search for the enclosing begin, and y for the end's own begin.
    var low = vec2(0u);
    var high = vec2(n_stretches);
    while any(low < high) {
        let middle = (low + high) / 2u;
        let n_open = vec2(n_open_from(middle.x), n_open_from(middle.y));
        let is_right = n_open > vec2(level, level - 1);
        low = select(low, middle + 1u, is_right & (low < high));
        high = select(middle, high, is_right | (low >= high));
    }
    var outside = NOTHING_OUTSIDE;
    if low.x > 0u {
        outside.n_below = low.x - 1u;
        let outer = OpenBegin(outside.n_below, n_open_from(outside.n_below) - 1 - level);
        outside.slice_box = slice_box_of(outer);
        outside.begin = entry_of(outer);
    }
    if is_own_outside && low.y > 0u {
        let own = OpenBegin(low.y - 1u, n_open_from(low.y - 1u) - level);
        outside.partner = entry_of(own);
        outside.crossing = ((own.stretch / STRETCHES_PER_PARTITION) << 16u) | u32(outside.partner);
    }
    return outside;
}

// Phase "boxes outside": shares, for each stretch, the intersection of its open begins and those of
// all earlier stretches. The box of its own open begins has been shared. Each round ends with a
// barrier.
fn share_boxes_outside(local: u32, n_stretches: u32, own: vec4<f32>) {
    var open_box = own;
    for (var length = 1u; length < n_stretches; length *= 4u) {
        open_box = meet(open_box, shared_box(max(local, length) - length));
        let low = meet(
            shared_box(max(local, 2u * length) - 2u * length),
            shared_box(max(local, 3u * length) - 3u * length),
        );
        open_box = meet(open_box, low);
        share_box(local, open_box);
        workgroupBarrier();
    }
}

// Phase "ancestors": the intersection of the boxes of all begins around the element. `parent` is
// the innermost of them in the partition. If there is none, it is -1, and `box_outside` is the
// result. By pointer jumping, the clip box contains 2^r ancestors after round r. One barrier, and
// one in each round.
fn meet_ancestors(local: u32, own_box: vec4<f32>, parent: i32, box_outside: vec4<f32>, n_levels: u32) -> vec4<f32> {
    share_box(local, own_box);
    workgroupBarrier();
    var clip_box = box_outside;
    if parent >= 0 {
        clip_box = shared_box(u32(parent));
    }
    var ancestor = parent;
    for (var reached = 1u; reached < n_levels; reached <<= 1u) {
        share_box(local, clip_box);
        let half = boxes_at - FIRST_BOXES;
        ancestors[half + local] = ancestor;
        workgroupBarrier();
        if ancestor >= 0 {
            clip_box = meet(shared_box(u32(ancestor)), clip_box);
            ancestor = ancestors[half + u32(ancestor)];
        }
    }
    return clip_box;
}

// All phases. Finds the stack around the element of each invocation, after the element if it is an
// end. Fills `end_of_begin`. The boxes that were shared last are still being read.
fn find_stack(part: u32, local: u32, is_begin: bool, is_end: bool, own_box: vec4<f32>) -> SmallStack {
    let n_stretches = part * STRETCHES_PER_PARTITION;
    var sums = vec4(0);
    if local < n_stretches {
        sums = read_stretch(local);
    }
    let n_left_open = i32(u32(sums.x) & 0xffffu);
    if local == 0u {
        atomicStore(&deepest, -256);
        atomicStore(&shallowest, 256);
    }
    end_of_begin[local] = WORKGROUP_SIZE;
    let is_entry = is_begin || is_end;
    let change = i32(is_begin) - i32(is_end);
    sums.w = change + i32(u32(is_entry) << 16u);

    let sum = scan_sums(local, sums);
    let first_entry = u32(pool[0].y);
    let rank = n_entries_of(sum) - u32(is_entry);
    let depth = depth_of(sum) - change;
    atomicMax(&deepest, depth);
    // An end can be the last element, so the depth after it counts too.
    atomicMin(&shallowest, min(depth, depth + change));

    // The box is loaded before the search, which hides the latency of the load.
    var open_box = PLANE;
    if local < n_stretches {
        open_box = open_box_of(local, n_left_open);
    }
    let found = begin_around(local, depth, open_box);

    var parent = found;
    var partner = -1;
    if is_end && found >= 0 {
        parent = ancestors[found];
        end_of_begin[found] = local;
        partner = i32(first_entry + rank_of(u32(found)));
    }
    var outside = NOTHING_OUTSIDE;
    if parent < 0 && part > 0u {
        // The level of the begin around the element, below the top of the stack before the
        // partition. An end pops its own begin, which is one level above.
        let level = select(-depth, 1 - depth, is_end);
        outside = begins_outside(n_stretches, level, is_end && found < 0);
    }
    var parent_entry = outside.begin;
    if parent >= 0 {
        parent_entry = i32(first_entry + rank_of(u32(parent)));
    }
    partner = select(outside.partner, partner, found >= 0);

    share_boxes_outside(local, n_stretches, open_box);
    var box_outside = outside.slice_box;
    if outside.n_below > 0u {
        box_outside = meet(shared_box(outside.n_below - 1u), box_outside);
    }

    // Each of these two loads has two barriers.
    let lowest = workgroupUniformLoad(&shallowest);
    let n_levels = u32(workgroupUniformLoad(&deepest) - lowest + 1);
    let clip_box = meet_ancestors(local, own_box, parent, box_outside, n_levels);
    return SmallStack(
        first_entry,
        rank,
        parent_entry,
        clip_box,
        partner,
        found,
        outside.crossing,
    );
}
