// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher look_back, 2 of 2: the top of the stack before every entry, in a single pass with decoupled look-back over stack
// slices (Levien 2021, "The stack monoid revisited"), in partitions of 8192 entries, 32 an invocation.
//
// A workgroup publishes the bicyclic sum of its partition, then looks back over 256 partitions at a time for as much of the
// stack before it as it reaches, and publishes a back link: the begin below all that it touches. Where 256 partitions do not
// suffice, the back link of the last of them leads on, past all that was closed in between.
//
// Only two words a partition cross workgroups, and each tells by itself whether it has been published, so relaxed atomics are
// enough: no order between words is assumed. The slices themselves do not cross. Whoever needs one derives it from the begin
// bits, which takes 1 KiB of input that never changes; to publish them would take a word an entry to be cleared, written
// and waited for, whether needed or not.
//
// No workgroup relies on another's progress. A sum that does not appear within a few looks is recomputed by whoever needs it
// (Smith, Levien, Owens 2025, "Decoupled Fallback"); a back link that has not appeared is done without, partition by partition.

#import bic
#import config
#import packed_bic
#import packed_search
#import word_stack

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
// PUBLISHED, and the bicyclic sum of the partition.
@group(0) @binding(2) var<storage, read_write> aggregates: array<atomic<u32>>;
// PUBLISHED, and a partition and a slot of its slice; or BOTTOM.
@group(0) @binding(3) var<storage, read_write> back_links: array<atomic<u32>>;
// The begins open before each partition, innermost first, as deep as it reaches, -1 below the bottom. A workgroup sees its own.
@group(0) @binding(4) var<storage, read_write> stacks: array<i32>;
@group(0) @binding(5) var<storage, read_write> matches: array<vec4<i32>>;

const PARTITION_LENGTH = 32u * WORKGROUP_SIZE;

// The flag of a published word. A word only grows.
const PUBLISHED = 0x80000000u;
// The back link of a partition that reaches the bottom of the stack.
const BOTTOM = 1u;
// How many bits a slot takes in a back link, and a count in an aggregate, which may be PARTITION_LENGTH.
const SLOT_BITS = 13u;
const COUNT_BITS = 14u;

// How many partitions are looked at together, at most an invocation each.
const WINDOW = WORKGROUP_SIZE;
// How often a workgroup looks for a sum before it recomputes it.
const MAX_LOOKS = 4u;

// Slices are derived by teams of 32 invocations, 8 words an invocation.
const TEAM_SIZE = 32u;
const N_TEAMS = WORKGROUP_SIZE / TEAM_SIZE;

// Eight matches of every word on their way to storage, the words nine apart for the sake of the memory's banks. At first the
// begins that each word leaves open; then, of each partition of the window, the bicyclic sum from there to this partition, `a`
// and `b` in turn. All in one place: how much memory a workgroup has decides how many run at once.
const STAGED = 8u;
var<workgroup> staged: array<i32, WORKGROUP_SIZE * (STAGED + 1u)>;

// The first partition of the window without a sum.
var<workgroup> first_missing: atomic<u32>;
// Which partitions of the window have begins of the stack: partition i in bit i / N_TEAMS for team i % N_TEAMS.
var<workgroup> contributors: array<atomic<u32>, N_TEAMS>;
// What one invocation found out for all.
var<workgroup> shared_count: u32;
var<workgroup> shared_look: Look;

// Where the look-back stands.
struct Look {
    // It goes on with the partition before this one.
    end: u32,
    // How many begins of the slice there count, the outermost.
    n_open: u32,
    // The ends between that partition and this one without a begin in between.
    n_ends: u32,
    // How many levels of the stack are found.
    n_found: u32,
}

fn publish_aggregate(part: u32) {
    let sum = packed_tree[level_offset(LG_WORKGROUP_SIZE)];
    atomicMax(&aggregates[part], PUBLISHED | ((sum >> 16u) << COUNT_BITS) | (sum & 0xffffu));
}

// Publishes the sum of an earlier partition, in its place. Such a partition is full.
fn recompute_aggregate(part: u32, local: u32) {
    let stack = stack_of_word(begin_bits[part * WORKGROUP_SIZE + local]);
    build_packed_tree(local, pack_bic(stack.a, countOneBits(stack.mask)));
    if local == 0u {
        publish_aggregate(part);
    }
}

// How many begins from partition `index` of the window on, and before this partition, are open: it only grows with `index`.
fn open_from(index: u32) -> u32 {
    return u32(staged[2u * index + 1u]);
}

fn open_after(index: u32) -> u32 {
    if index == 0u {
        return 0u;
    }
    return open_from(index - 1u);
}

// The sums from each partition of the window on: `bic` becomes that of the invocation's. Ends with a barrier.
fn scan_window(local: u32, own: Bic) -> Bic {
    var bic = own;
    staged[2u * local] = i32(bic.a);
    staged[2u * local + 1u] = i32(bic.b);
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var after = Bic(0u, 0u);
        if local >= stride {
            after = Bic(u32(staged[2u * (local - stride)]), u32(staged[2u * (local - stride) + 1u]));
        }
        workgroupBarrier();
        bic = bic_then(bic, after);
        staged[2u * local] = i32(bic.a);
        staged[2u * local + 1u] = i32(bic.b);
    }
    workgroupBarrier();
    return bic;
}

// Writes the levels of the stack that the window before `look.end` has, of `n_stored` in all.
fn store_levels(part: u32, local: u32, look: Look, n_stored: u32) {
    if local == 0u {
        var most = 0u;
        for (var team = 0u; team < N_TEAMS; team++) {
            most = max(most, countOneBits(atomicLoad(&contributors[team])));
        }
        shared_count = most;
    }
    let n_rounds = workgroupUniformLoad(&shared_count);
    let team = local / TEAM_SIZE;
    let member = local % TEAM_SIZE;
    var waiting = atomicLoad(&contributors[team]);
    for (var round = 0u; round < n_rounds; round++) {
        let is_busy = waiting != 0u;
        var index = 0u;
        var first_word = 0u;
        var after = 0u;
        if is_busy {
            index = N_TEAMS * firstTrailingBit(waiting) + team;
            waiting &= waiting - 1u;
            first_word = (look.end - 1u - index) * WORKGROUP_SIZE + N_TEAMS * member;
            for (var i = 0u; i < N_TEAMS; i++) {
                let stack = stack_of_word(begin_bits[first_word + i]);
                after = packed_then(after, pack_bic(stack.a, countOneBits(stack.mask)));
            }
        }
        // From each member's words on.
        packed_tree[local] = after;
        for (var stride = 1u; stride < TEAM_SIZE; stride <<= 1u) {
            workgroupBarrier();
            var right = 0u;
            if member + stride < TEAM_SIZE {
                right = packed_tree[local + stride];
            }
            workgroupBarrier();
            after = packed_then(after, right);
            packed_tree[local] = after;
        }
        workgroupBarrier();
        let n_open = packed_tree[team * TEAM_SIZE] & 0xffffu;
        after = 0u;
        if member + 1u < TEAM_SIZE {
            after = packed_tree[local + 1u];
        }
        if is_busy {
            let n_visible = open_from(index) - open_after(index);
            let bottom_level = look.n_found + open_from(index) - 1u;
            for (var back = 1u; back <= N_TEAMS; back++) {
                let i = N_TEAMS - back;
                let stack = stack_of_word(begin_bits[first_word + i]);
                let n_own = countOneBits(stack.mask);
                let n_closed = min(n_own, after >> 16u);
                after = packed_then(pack_bic(stack.a, n_own), after);
                // The outermost begins of the word stay open: the lowest bits of its mask.
                var slot = n_open - (after & 0xffffu);
                let slot_end = min(slot + n_own - n_closed, n_visible);
                var mask = stack.mask;
                while slot < slot_end {
                    let level = bottom_level - slot;
                    if level < n_stored {
                        stacks[part * PARTITION_LENGTH + level] =
                            i32(32u * (first_word + i) + firstTrailingBit(mask));
                    }
                    mask &= mask - 1u;
                    slot += 1u;
                }
            }
        }
        workgroupBarrier();
    }
}

// Finds the stack before the partition, `n_ends` levels of it and one more, to which the back link leads. Ends with a barrier.
fn look_back(part: u32, local: u32, n_ends: u32) {
    // No entry has more ends before it than entries.
    let n_levels = n_ends + 1u;
    let n_stored = min(n_levels, min(PARTITION_LENGTH, config.n_nodes - part * PARTITION_LENGTH));
    var look = Look(part, PARTITION_LENGTH, 0u, 0u);
    var n_looks = 0u;
    while look.n_found < n_levels && look.end > 0u {
        let n_before = min(look.end, WINDOW);
        if local == 0u {
            atomicStore(&first_missing, n_before);
        }
        if local < N_TEAMS {
            atomicStore(&contributors[local], 0u);
        }
        workgroupBarrier();
        var own = Bic(0u, 0u);
        if local < n_before {
            let state = atomicLoad(&aggregates[look.end - 1u - local]);
            if (state & PUBLISHED) == 0u {
                atomicMin(&first_missing, local);
            }
            own.a = (state >> COUNT_BITS) & ((1u << COUNT_BITS) - 1u);
            own.b = state & ((1u << COUNT_BITS) - 1u);
        }
        workgroupBarrier();
        if local == 0u {
            shared_count = atomicLoad(&first_missing);
        }
        let n_taken = workgroupUniformLoad(&shared_count);
        if n_taken == 0u {
            n_looks += 1u;
            if n_looks >= MAX_LOOKS {
                recompute_aggregate(look.end - 1u, local);
                n_looks = 0u;
            }
            continue;
        }
        n_looks = 0u;

        var bic = Bic(0u, 0u);
        if local < n_taken {
            bic = own;
        }
        if local == 0u {
            bic = bic_then(Bic(own.a, min(own.b, look.n_open)), Bic(look.n_ends, 0u));
        }
        bic = scan_window(local, bic);
        let n_missing = n_levels - look.n_found;
        let n_after = open_after(local);
        if n_after < min(bic.b, n_missing) {
            atomicOr(&contributors[local % N_TEAMS], 1u << (local / N_TEAMS));
            if n_missing <= bic.b {
                let source = look.end - 1u - local;
                atomicMax(&back_links[part], PUBLISHED | (source << SLOT_BITS) | (bic.b - n_missing));
            }
        }
        workgroupBarrier();
        store_levels(part, local, look, n_stored);

        if local + 1u == n_taken {
            let last = look.end - n_taken;
            var next = Look(last, PARTITION_LENGTH, bic.a, look.n_found + bic.b);
            let link = atomicLoad(&back_links[last]);
            if link == BOTTOM {
                next.end = 0u;
            } else if link != 0u {
                // It stands for all that comes before the partition's own begins, and for its ends.
                let place = link & ~PUBLISHED;
                next.end = (place >> SLOT_BITS) + 1u;
                next.n_open = (place & ((1u << SLOT_BITS) - 1u)) + 1u;
                next.n_ends = bic.a - own.a;
            }
            shared_look = next;
        }
        look = workgroupUniformLoad(&shared_look);
    }
    if look.n_found < n_levels {
        for (var level = look.n_found + local; level < n_stored; level += WORKGROUP_SIZE) {
            stacks[part * PARTITION_LENGTH + level] = -1;
        }
        if local == 0u {
            atomicMax(&back_links[part], BOTTOM);
        }
    }
    storageBarrier();
    workgroupBarrier();
}

// The begin that a cursor is on, see `main`.
fn begin_at(part_first: u32, cursor: u32, cursor_mask: u32) -> i32 {
    if cursor_mask != 0u {
        return i32(part_first + 32u * cursor + firstLeadingBit(cursor_mask));
    }
    let index = part_first + cursor;
    // After the last entry of the input nothing looks.
    if index >= config.n_nodes {
        return -1;
    }
    return stacks[index];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_partitions {
        return;
    }
    let part_first = part * PARTITION_LENGTH;
    let first = part_first + 32u * local;
    var word = 0u;
    if first < config.n_nodes {
        word = begin_bits[first / 32u];
    }
    word = masked_word(word, first, config.n_nodes);
    let own = stack_of_word(word);
    staged[local] = i32(own.mask);
    build_packed_tree(local, pack_bic(own.a, countOneBits(own.mask)));
    if local == 0u {
        publish_aggregate(part);
    }
    var mask_before = 0u;
    if local > 0u {
        mask_before = u32(staged[local - 1u]);
    }
    // Where the stack goes on below the word's own begins: a word of the partition and those of its begins that are open; or,
    // where these are none, how many levels below the top of the stack before the partition.
    let place = search_words(local, own.a);
    var link = place.n_ends;
    var link_mask = 0u;
    if place.word_end > 0u {
        link = place.word_end - 1u;
        link_mask = pop_entries(u32(staged[link]), place.n_ends);
    }
    if local == 0u {
        shared_count = packed_tree[level_offset(LG_WORKGROUP_SIZE)] >> 16u;
    }
    look_back(part, local, workgroupUniformLoad(&shared_count));
    // The tree has served: the links of the words and their masks take its place.
    packed_tree[local] = link;
    packed_tree[WORKGROUP_SIZE + local] = link_mask;
    workgroupBarrier();

    // The cursor, on the top of the stack before the word, then down from there: `cursor_mask` holds the begins still open of the
    // word `cursor` that it stands in, its own the highest; where it is none, the cursor is `cursor` levels below the top of the
    // stack before the partition. The top before a word is what the word before leaves, or what that goes on with.
    var cursor = 0u;
    var cursor_mask = 0u;
    if local > 0u {
        cursor = local - 1u;
        cursor_mask = mask_before;
        if cursor_mask == 0u {
            cursor_mask = packed_tree[WORKGROUP_SIZE + cursor];
            cursor = packed_tree[cursor];
        }
    }
    var top = begin_at(part_first, cursor, cursor_mask);

    // What the word itself has pushed, bit i for entry i.
    var stack = 0u;
    var bit = 1u;
    for (var round = 0u; round < 32u; round += STAGED) {
        for (var step = 0u; step < STAGED; step++) {
            let own_top = firstLeadingBit(stack);
            let is_empty = stack == 0u;
            staged[local * (STAGED + 1u) + step] = select(i32(first + own_top), top, is_empty);
            let is_begin = (word & bit) != 0u;
            stack = select(stack & ~(1u << (own_top & 31u)), stack | bit, is_begin);
            bit <<= 1u;
            if is_empty && !is_begin {
                // Down the stack before the word.
                if cursor_mask != 0u {
                    cursor_mask ^= 1u << firstLeadingBit(cursor_mask);
                    if cursor_mask == 0u {
                        cursor_mask = packed_tree[WORKGROUP_SIZE + cursor];
                        cursor = packed_tree[cursor];
                    }
                } else {
                    cursor += 1u;
                }
                top = begin_at(part_first, cursor, cursor_mask);
            }
        }
        workgroupBarrier();
        // Four matches at a time: two stores for the eight of a word.
        for (var quad = local; quad < 2u * WORKGROUP_SIZE; quad += WORKGROUP_SIZE) {
            let in_word = 4u * (quad & 1u);
            let index = part_first + 32u * (quad / 2u) + round + in_word;
            let at = (quad / 2u) * (STAGED + 1u) + in_word;
            if index < config.n_nodes {
                matches[index / 4u] =
                    vec4(staged[at], staged[at + 1u], staged[at + 2u], staged[at + 3u]);
            }
        }
        workgroupBarrier();
    }
}
