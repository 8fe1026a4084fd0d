// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher one_workgroup: the top of the stack before every entry, for short inputs, where the fixed
// cost of a dispatch dominates.
//
// A single workgroup processes the input in stretches, and keeps the stack before each stretch in
// storage. An invocation has 4 to 32 consecutive entries, as few as possible. The algorithm is that
// of matcher hierarchical: bit masks as the stacks of invocations, and links between them from a
// tree of minimum depths. Depths count from the start of the input.
//
// Timeline of the workgroup memory, for each stretch:
//
// | phase  | prefix_sums             | pool           | opens, links  | barriers |
// |--------|-------------------------|----------------|---------------|----------|
// | depths | sums of depth changes   | minimum depths | opens written | 9        |
// | links  | kept                    | searched       | links written | 1        |
// | walk   | kept                    | -              | read          | 0        |
// | stack  | suffix minima of depths | -              | -             | 9        |
//
// Phase "stack" is needed only before another stretch.
//
// Indices into `slices` are levels relative to `lowest_before`. They are below the number of begins
// on the stack, and so below the number of entries, whatever the bits are.

#import config
#import grid
#import quad

@group(0) @binding(1) var<storage> begin_bits: array<u32>;
// The stack before a stretch: the begin at each level, starting at `lowest_before`.
@group(0) @binding(2) var<storage, read_write> slices: array<u32>;
@group(0) @binding(3) var<storage, read_write> matches: array<vec4<i32>>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

// The minimum depth of each invocation.
var<workgroup> lowest_depths: array<i32, WORKGROUP_SIZE>;

fn leaf_depth(invocation: u32) -> i32 {
    return lowest_depths[invocation];
}

// The tree of these.
const DEPTHS_AT = 0u;
var<workgroup> pool: array<vec4<i32>, 85>;

#import depth_pool

// A position on the stack: the highest begin in `open`, the open begins of invocation `at`, or, if
// there are none, level `at` of the stack before the stretch.
struct Cursor {
    open: u32,
    at: i32,
}

// The begins that each invocation leaves open, bit i for its entry i, and the position of the stack
// below them.
var<workgroup> opens: array<u32, WORKGROUP_SIZE>;
var<workgroup> links: array<Cursor, WORKGROUP_SIZE>;

struct Stretch {
    // Its first entry, and the number of entries per invocation.
    first: u32,
    length: u32,
    // The depth before it, and the minimum depth before it. Ends without a begin make depths
    // negative. No begin is at a level below the minimum.
    depth_before: i32,
    lowest_before: i32,
}

fn is_begin_bit(word: u32, i: u32) -> bool {
    return ((word >> i) & 1u) != 0u;
}

fn top_of(open: u32) -> u32 {
    return 1u << firstLeadingBit(open);
}

// The begin at a position, or -1.
fn begin_at(stretch: Stretch, cursor: Cursor) -> i32 {
    if cursor.open != 0u {
        return i32(stretch.first + stretch.length * u32(cursor.at) + firstLeadingBit(cursor.open));
    }
    if cursor.at < stretch.lowest_before {
        return -1;
    }
    return i32(slices[cursor.at - stretch.lowest_before]);
}

// The position one level further down.
fn below(cursor: Cursor) -> Cursor {
    if cursor.open == 0u {
        return Cursor(0u, cursor.at - 1);
    }
    let open = cursor.open ^ top_of(cursor.open);
    if open == 0u {
        return links[cursor.at];
    }
    return Cursor(open, cursor.at);
}

// The entries of an invocation.
struct Share {
    first: u32,
    n_entries: u32,
    // Bit i is set if entry i is a begin.
    word: u32,
    // The begins left open, and the number of ends without a begin among the entries.
    open: u32,
    n_ends: i32,
}

fn share_of(stretch: Stretch, local: u32) -> Share {
    var share = Share(stretch.first + stretch.length * local, 0u, 0u, 0u, 0);
    if share.first < config.n_entries {
        share.word = begin_bits[share.first / 32u] >> (share.first % 32u);
        share.n_entries = min(stretch.length, config.n_entries - share.first);
    }
    for (var i = 0u; i < share.n_entries; i++) {
        if is_begin_bit(share.word, i) {
            share.open |= 1u << i;
        } else if share.open != 0u {
            share.open ^= top_of(share.open);
        } else {
            share.n_ends += 1;
        }
    }
    return share;
}

// Phase "links": the position of the stack below the begins of invocation `local`, whose minimum
// depth is `lowest`. It is in the last earlier invocation with a lower minimum depth.
fn link_of_invocation(local: u32, lowest: i32) -> Cursor {
    let source = last_below(local, lowest);
    if source < 0 {
        return Cursor(0u, lowest - 1);
    }
    var open = opens[source];
    let n_kept = u32(lowest - lowest_depths[source]);
    while countOneBits(open) > n_kept {
        open ^= top_of(open);
    }
    return Cursor(open, source);
}

// Phase "walk": walks the entries of an invocation, and stores their matches, four at a time. `top`
// is the position of the stack before them.
fn walk(stretch: Stretch, share: Share, top: Cursor) {
    var cursor = top;
    var outer = begin_at(stretch, cursor);
    // The begins of the invocation itself that are on the stack.
    var stack = 0u;
    for (var quad = 0u; quad < share.n_entries; quad += QUAD_LENGTH) {
        var found = vec4(outer);
        #repeat i 4
        if stack != 0u {
            found[$i] = i32(share.first + firstLeadingBit(stack));
        } else {
            found[$i] = outer;
        }
        if is_begin_bit(share.word, quad + $i) {
            stack |= 1u << (quad + $i);
        } else if stack != 0u {
            stack ^= top_of(stack);
        } else {
            cursor = below(cursor);
            outer = begin_at(stretch, cursor);
        }
        #endrepeat
        matches[(share.first + quad) / QUAD_LENGTH] = found;
    }
}

// Fills `prefix_sums` with the suffix minima of `own`. Ends with a barrier.
fn scan_lowest(local: u32, own: i32) {
    var lowest = own;
    var half = 0u;
    prefix_sums[local] = u32(lowest);
    workgroupBarrier();
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 4u) {
        let at = half + min(vec3(local) + vec3(1u, 2u, 3u) * length, vec3(WORKGROUP_SIZE - 1u));
        lowest = min(min(lowest, i32(prefix_sums[at.x])), min(i32(prefix_sums[at.y]), i32(prefix_sums[at.z])));
        half ^= WORKGROUP_SIZE;
        prefix_sums[half + local] = u32(lowest);
        workgroupBarrier();
    }
}

// Phase "stack": stores the begins that the stretch leaves open, for the next one. Levels are
// relative to the minimum depth so far. When that falls, the entries need not be moved, because all
// older begins are closed then. Returns the minimum depth before that. Ends with a barrier.
fn store_open(local: u32, share: Share, lowest: i32, lowest_before: i32) -> i32 {
    scan_lowest(local, lowest);
    let lowest_so_far = min(lowest_before, i32(prefix_sums[0]));
    // A begin stays open if no later invocation descends to its level.
    var lowest_after = 0x7fffffff;
    if local + 1u < WORKGROUP_SIZE {
        lowest_after = i32(prefix_sums[local + 1u]);
    }
    var level = lowest;
    var open = share.open;
    while open != 0u && level < lowest_after {
        slices[level - lowest_so_far] = share.first + firstTrailingBit(open);
        open &= open - 1u;
        level += 1;
    }
    storageBarrier();
    workgroupBarrier();
    return lowest_so_far;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    // A power of two, so that the entries of an invocation are in one word.
    var length = QUAD_LENGTH;
    while length < 32u && length * WORKGROUP_SIZE < config.n_entries {
        length *= 2u;
    }
    let stretch_length = length * WORKGROUP_SIZE;
    var depth_before = 0;
    var lowest_before = 0;
    for (var stretch_first = 0u; stretch_first < config.n_entries; stretch_first += stretch_length) {
        let stretch = Stretch(stretch_first, length, depth_before, lowest_before);
        let share = share_of(stretch, local);

        // Phase "depths": the minimum depth of the invocation, and the tree of these.
        let n_open = i32(countOneBits(share.open));
        let depth_after = depth_before + i32(prefix_sum(local, u32(n_open - share.n_ends)));
        let lowest = depth_after - n_open;
        opens[local] = share.open;
        lowest_depths[local] = lowest;
        build_depths(local);

        links[local] = link_of_invocation(local, lowest);
        workgroupBarrier();
        // The top before an invocation is a begin of the invocation before, or lies below its
        // begins.
        var top = Cursor(0u, depth_before - 1);
        if local > 0u {
            top = Cursor(opens[local - 1u], i32(local) - 1);
            if top.open == 0u {
                top = links[local - 1u];
            }
        }
        walk(stretch, share, top);

        if stretch_first + stretch_length < config.n_entries {
            depth_before += i32(prefix_sums[WORKGROUP_SIZE - 1u]);
            // All invocations have read the depth, and the stack before the stretch.
            storageBarrier();
            workgroupBarrier();
            lowest_before = store_open(local, share, lowest, lowest_before);
        }
    }
}
