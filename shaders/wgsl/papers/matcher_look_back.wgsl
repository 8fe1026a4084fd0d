// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher look_back, 2 of 2: the top of the stack before every entry in a single pass, by decoupled
// look-back over stack slices. Levien 2021, "The stack monoid revisited". A partition has 8192
// entries, one word of 32 per invocation.
//
// The article publishes stack slices. Here only two words per partition cross workgroups:
//
// - The aggregate: the bicyclic sum of the partition.
// - The back link: the begin below all levels of the stack that the partition reaches, as a
//   partition and a slot of its slice.
//
// A workgroup that needs a slice derives it from the begin bits. These are 1 KiB of input that
// never changes, whereas a published slice would have to be cleared, written, and awaited. Each
// word contains its own flag, so relaxed atomics are sufficient, and no order between words is
// assumed.
//
// No workgroup relies on the progress of another. If an aggregate does not appear within a few
// looks, the workgroup that needs it recomputes it (Smith, Levien, and Owens 2025, "Decoupled
// Fallback"). If a back link has not appeared, the workgroup goes on partition by partition.
//
// Timeline of the workgroup memory:
//
// | phase              | staged                        | level_tree               | barriers |
// |--------------------|-------------------------------|--------------------------|----------|
// | 1. publish the sum | masks of the words            | sums of the words        | 9        |
// | 2. links of words  | masks of the words            | sums of the words        | 0        |
// | 3. look_back       | sums of a batch of partitions | sums of words, by teams  | see code |
// | 4. walk and store  | eight matches of each word    | links of the words       | 2 x 4    |
//
// Indices into buffers come from `begin_bits`, which may have any content, and from words that were
// published since matcher_look_back_clear.wgsl reset them in the same recording. Such a word refers
// only to earlier partitions, whose words are all within the input.

#import bic
#import config
#import grid
#import level_tree
#import word_stack

@group(0) @binding(1) var<storage> begin_bits: array<u32>;
// PUBLISHED and the bicyclic sum of the partition, or 0.
@group(0) @binding(2) var<storage, read_write> aggregates: array<atomic<u32>>;
// PUBLISHED, a partition, and a slot of its slice, or BOTTOM, or 0.
@group(0) @binding(3) var<storage, read_write> back_links: array<atomic<u32>>;
// The begins that are open before each partition, the top first, or -1 below the bottom. A
// workgroup accesses only those of its own partition.
@group(0) @binding(4) var<storage, read_write> stacks: array<i32>;
@group(0) @binding(5) var<storage, read_write> matches: array<vec4<i32>>;

const PARTITION_LENGTH = 32u * WORKGROUP_SIZE;

// The flag of a published word. All writers of a word write the same value.
const PUBLISHED = 0x80000000u;
// The back link of a partition that reaches the bottom of the stack.
const BOTTOM = 1u;
// The bits of a slot in a back link: slots are below 2^13 = PARTITION_LENGTH.
const SLOT_BITS = 13u;
// The bits of a count in an aggregate: counts are at most PARTITION_LENGTH.
const COUNT_BITS = 14u;

// The number of partitions in a batch of the look-back, at most one per invocation.
const BATCH = WORKGROUP_SIZE;
// The number of looks for an aggregate before it is recomputed.
const MAX_LOOKS = 4u;

// A team of 32 invocations derives the slice of a partition, each from eight of its words.
const TEAM_SIZE = 32u;
const N_TEAMS = WORKGROUP_SIZE / TEAM_SIZE;
const MEMBER_WORDS = WORKGROUP_SIZE / TEAM_SIZE;

// The number of matches of a word that are stored at a time. An unused item after the items of each
// word avoids bank conflicts.
const STAGED = 8u;
// One array for three purposes, see the timeline: workgroup memory limits how many workgroups run
// at a time. The sums of a batch are in pairs: for each partition, a and b of the sum from it up to
// this partition.
var<workgroup> staged: array<i32, WORKGROUP_SIZE * (STAGED + 1u)>;

// The first partition of the batch without an aggregate.
var<workgroup> first_missing: atomic<u32>;
// The partitions of the batch with begins that are on the stack. Partition i belongs to team
// i % N_TEAMS, as bit i / N_TEAMS of its item.
var<workgroup> contributors: array<atomic<u32>, N_TEAMS>;
// Results of one invocation for all.
var<workgroup> shared_count: u32;
var<workgroup> shared_look: Look;

// The state of the look-back.
struct Look {
    // The look-back continues with the partition before this one.
    end: u32,
    // The number of begins in the slice there that count, the outermost ones.
    n_open: u32,
    // The number of ends between that partition and this one without a begin in between.
    n_ends: u32,
    // The number of levels of the stack that have been found.
    n_found: u32,
}

// Publishes the aggregate of a partition, whose sums of words are in `level_tree`.
fn publish_aggregate(part: u32) {
    let sum = level_tree[level_offset(LG_WORKGROUP_SIZE)];
    atomicMax(&aggregates[part], PUBLISHED | ((sum >> 16u) << COUNT_BITS) | (sum & 0xffffu));
}

// Publishes the aggregate of an earlier partition in place of its workgroup. Every earlier
// partition is full.
fn recompute_aggregate(part: u32, local: u32) {
    let stack = stack_of_word(begin_bits[part * WORKGROUP_SIZE + local]);
    build_level_tree(local, pack_bic(stack.a, countOneBits(stack.mask)));
    if local == 0u {
        publish_aggregate(part);
    }
}

// The number of open begins from partition `index` of the batch up to this partition. It never
// decreases with `index`.
fn open_from(index: u32) -> u32 {
    return u32(staged[2u * index + 1u]);
}

// The same for the partitions after partition `index` of the batch, which have lower indices.
fn open_after(index: u32) -> u32 {
    if index == 0u {
        return 0u;
    }
    return open_from(index - 1u);
}

// Fills `staged` with the sums of a batch, from each partition's own sum, and returns that of the
// invocation. Ends with a barrier.
fn scan_batch(local: u32, own: Bic) -> Bic {
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

// Stores the levels of the stack that the batch before `look.end` contributes, of `n_stored` in
// all. In each round, every team derives the slice of one partition.
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
        var sum = 0u;
        if is_busy {
            index = N_TEAMS * firstTrailingBit(waiting) + team;
            waiting &= waiting - 1u;
            first_word = (look.end - 1u - index) * WORKGROUP_SIZE + MEMBER_WORDS * member;
            for (var i = 0u; i < MEMBER_WORDS; i++) {
                let stack = stack_of_word(begin_bits[first_word + i]);
                sum = packed_then(sum, pack_bic(stack.a, countOneBits(stack.mask)));
            }
        }
        // The sums of the words of each member and of those after it, within its team.
        level_tree[local] = sum;
        for (var stride = 1u; stride < TEAM_SIZE; stride <<= 1u) {
            workgroupBarrier();
            var right = 0u;
            if member + stride < TEAM_SIZE {
                right = level_tree[local + stride];
            }
            workgroupBarrier();
            sum = packed_then(sum, right);
            level_tree[local] = sum;
        }
        workgroupBarrier();
        let n_open = level_tree[team * TEAM_SIZE] & 0xffffu;
        sum = 0u;
        if member + 1u < TEAM_SIZE {
            sum = level_tree[local + 1u];
        }
        if is_busy {
            let n_visible = open_from(index) - open_after(index);
            let bottom_level = look.n_found + open_from(index) - 1u;
            for (var back = 1u; back <= MEMBER_WORDS; back++) {
                let i = MEMBER_WORDS - back;
                let stack = stack_of_word(begin_bits[first_word + i]);
                let n_own = countOneBits(stack.mask);
                let n_closed = min(n_own, sum >> 16u);
                sum = packed_then(pack_bic(stack.a, n_own), sum);
                // The outermost begins of the word stay open: the lowest bits of its mask.
                var slot = n_open - (sum & 0xffffu);
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

// Phase 3: finds the stack before the partition, which has `n_ends` ends without a begin. Each such
// end needs a level, and the back link leads to one more. Ends with a barrier.
fn look_back(part: u32, local: u32, n_ends: u32) {
    let n_levels = n_ends + 1u;
    // The walk looks up at most as many levels as the partition has entries.
    let n_stored = min(n_levels, min(PARTITION_LENGTH, config.n_entries - part * PARTITION_LENGTH));
    var look = Look(part, PARTITION_LENGTH, 0u, 0u);
    var n_looks = 0u;
    while look.n_found < n_levels && look.end > 0u {
        // The aggregates of the batch, up to the first that has not been published.
        let n_before = min(look.end, BATCH);
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

        // The sums of the partitions starting at each one of the batch. Only a part of the first
        // counts.
        var bic = Bic(0u, 0u);
        if local < n_taken {
            bic = own;
        }
        if local == 0u {
            bic = bic_then(Bic(own.a, min(own.b, look.n_open)), Bic(look.n_ends, 0u));
        }
        bic = scan_batch(local, bic);

        // The levels that the batch contributes, and the back link if the last level is among them.
        let n_missing = n_levels - look.n_found;
        let n_after = open_after(local);
        if n_after < min(bic.b, n_missing) {
            atomicOr(&contributors[local % N_TEAMS], 1u << (local / N_TEAMS));
            if n_missing <= bic.b {
                let source = look.end - 1u - local;
                let place = (source << SLOT_BITS) | (bic.b - n_missing);
                atomicMax(&back_links[part], PUBLISHED | place);
            }
        }
        workgroupBarrier();
        store_levels(part, local, look, n_stored);

        // The look-back continues after the last partition of the batch. If that has a back link,
        // it stands for the ends of that partition and for everything before it.
        if local + 1u == n_taken {
            let last = look.end - n_taken;
            var next = Look(last, PARTITION_LENGTH, bic.a, look.n_found + bic.b);
            let link = atomicLoad(&back_links[last]);
            if link == BOTTOM {
                next.end = 0u;
            } else if link != 0u {
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

// The begin at a position of the stack: the highest begin in `mask`, the open begins of word `at`
// of the partition, or, if there are none, the begin `at` levels below the top of the stack before
// the partition. The result is -1 below the bottom.
fn begin_at(part_first: u32, at: u32, mask: u32) -> i32 {
    if mask != 0u {
        return i32(part_first + 32u * at + firstLeadingBit(mask));
    }
    // After the last entry of the input, the result is not used.
    let index = part_first + at;
    if index >= config.n_entries {
        return -1;
    }
    return stacks[index];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let part_first = part * PARTITION_LENGTH;
    let first = part_first + 32u * local;
    var word = 0u;
    if first < config.n_entries {
        word = begin_bits[first / 32u];
    }
    word = masked_word(word, first, config.n_entries);

    // Phase 1: sum and publish.
    let own = stack_of_word(word);
    staged[local] = i32(own.mask);
    build_level_tree(local, pack_bic(own.a, countOneBits(own.mask)));
    if local == 0u {
        publish_aggregate(part);
    }
    var mask_before = 0u;
    if local > 0u {
        mask_before = u32(staged[local - 1u]);
    }

    // Phase 2: the position of the stack below the begins of the word (`begin_at`).
    let place = search_level_tree(local, own.a);
    var link = place.n_ends;
    var link_mask = 0u;
    if place.leaf_end > 0u {
        link = place.leaf_end - 1u;
        link_mask = pop_entries(u32(staged[link]), place.n_ends);
    }
    if local == 0u {
        shared_count = level_tree[level_offset(LG_WORKGROUP_SIZE)] >> 16u;
    }
    look_back(part, local, workgroupUniformLoad(&shared_count));

    // The links replace the sums.
    level_tree[local] = link;
    level_tree[WORKGROUP_SIZE + local] = link_mask;
    workgroupBarrier();

    // Phase 4: walk the word and store. The cursor is at the top of the stack before the word,
    // which is a begin of the word before, or lies below the begins of that word.
    var cursor = 0u;
    var cursor_mask = 0u;
    if local > 0u {
        cursor = local - 1u;
        cursor_mask = mask_before;
        if cursor_mask == 0u {
            cursor_mask = level_tree[WORKGROUP_SIZE + cursor];
            cursor = level_tree[cursor];
        }
    }
    var top = begin_at(part_first, cursor, cursor_mask);
    // The begins of the word itself that are on the stack, bit i for entry i.
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
                // One level further down the stack before the word.
                if cursor_mask != 0u {
                    cursor_mask ^= 1u << firstLeadingBit(cursor_mask);
                    if cursor_mask == 0u {
                        cursor_mask = level_tree[WORKGROUP_SIZE + cursor];
                        cursor = level_tree[cursor];
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
            if index < config.n_entries {
                matches[index / 4u] =
                    vec4(staged[at], staged[at + 1u], staged[at + 2u], staged[at + 3u]);
            }
        }
        workgroupBarrier();
    }
}
