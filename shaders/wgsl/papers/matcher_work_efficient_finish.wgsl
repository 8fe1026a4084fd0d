// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: matcher_work_efficient_finish: ELEMENTS_4

// Matcher work_efficient, 2 of 2: the top of the stack before every entry, with four entries per
// invocation. The steps are those of Levien 2022, section 8.2.
//
// Longer partitions are fewer, but workgroup memory bounds their length. So bicyclic sums of the
// partition are packed into words, tops into half words, and the steps share arrays:
//
// | step                | heap        | bitmaps, links | half_words | stack_before | barriers |
// |---------------------|-------------|----------------|------------|--------------|----------|
// | 1. reduce_segments  | suffix_bics | of segments    | n_open     |              | 36       |
// | 1. gather_stack     | suffix_bics | of segments    | n_open     | written      | 1        |
// | 2. build_heap       | the tree    | bitmaps of sequences |      |              | 5        |
// | 3. find_top         | the tree    | links of sequences   |      |              | 1        |
// | 4. find_tops        |             | of sequences   | tops       |              | 1        |
// | 4. write_matches    |             |                | tops       | read         | 0        |
//
// A segment is a sequence of ELEMENTS earlier partitions. A sequence is one of ELEMENTS entries.

#import bic
#import config
#import grid
#import heap

@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> matches: array<i32>;

#import sequence
#import tree_search

// The begins that are open before the partition, the top first, or -1 below the bottom: the prefix
// stack.
var<workgroup> stack_before: array<i32, PARTITION_LENGTH>;
// Two items per word, the even one in the low half. In step 1, the number of begins of each earlier
// partition that are open before this one. In step 4, the top of the stack before each entry, in
// the form of `links`.
var<workgroup> half_words: array<u32, PARTITION_LENGTH / 2u>;
// In step 1, for each segment: the partitions with begins that are open before this one. Starting
// with step 2, for each sequence: the begins that it leaves open.
var<workgroup> bitmaps: array<u32, WORKGROUP_SIZE>;
// In step 1, for each segment: the last segment before it whose bitmap is not 0, or -1. Starting
// with step 3, for each sequence: the position of the stack below its begins, which is an entry of
// the partition, or the complement of an index into the prefix stack.
var<workgroup> links: array<i32, WORKGROUP_SIZE>;

fn half_word(index: u32) -> u32 {
    return (half_words[index / 2u] >> (16u * (index & 1u))) & 0xffffu;
}

// The sum of the partitions from a segment up to this partition. These counts do not fit in half
// words.
fn suffix_bic(segment: u32) -> Bic {
    if segment == WORKGROUP_SIZE {
        return Bic(0u, 0u);
    }
    return Bic(heap[segment], heap[WORKGROUP_SIZE + segment]);
}

fn set_suffix_bic(segment: u32, bic: Bic) {
    heap[segment] = bic.a;
    heap[WORKGROUP_SIZE + segment] = bic.b;
}

// Step 1, input: one segment per invocation. Ends with a barrier.
fn reduce_segments(part: u32, local: u32) {
    // The reverse scan of the bicyclic sums of the segments.
    let first = local * ELEMENTS;
    var bic = Bic(0u, 0u);
    for (var i = 0u; i < ELEMENTS; i++) {
        if first + i < part {
            bic = bic_then(bic, partition_bics[first + i]);
        }
    }
    set_suffix_bic(local, bic);
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        let after = suffix_bic(min(local + stride, WORKGROUP_SIZE));
        workgroupBarrier();
        bic = bic_then(bic, after);
        set_suffix_bic(local, bic);
    }
    workgroupBarrier();

    // The begins of each partition that stay open, and the bitmap of the segment.
    var after = suffix_bic(local + 1u);
    var bitmap = 0u;
    var pair = 0u;
    for (var back = 1u; back <= ELEMENTS; back++) {
        let i = ELEMENTS - back;
        var n_open = 0u;
        if first + i < part {
            let own = partition_bics[first + i];
            n_open = own.b - min(own.b, after.a);
            after = bic_then(own, after);
        }
        bitmap |= select(0u, 1u << i, n_open != 0u);
        pair = (pair << 16u) | n_open;
        if (i & 1u) == 0u {
            half_words[(first + i) / 2u] = pair;
        }
    }
    bitmaps[local] = bitmap;

    // The list of segments: a scan of the maximum, up to each segment and then up to the one
    // before.
    var last = select(-1, i32(local), bitmap != 0u);
    links[local] = last;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var before = -1;
        if local >= stride {
            before = links[local - stride];
        }
        workgroupBarrier();
        last = max(last, before);
        links[local] = last;
    }
    workgroupBarrier();
    var link = -1;
    if local > 0u {
        link = links[local - 1u];
    }
    workgroupBarrier();
    links[local] = link;
    workgroupBarrier();
}

// Step 1, output: ELEMENTS items of the prefix stack per invocation. Ends with a barrier.
//
// The slices come from the previous dispatch of the same recording. A slot is below the length of
// its slice, because only begins that stay open are counted.
fn gather_stack(part: u32, local: u32) {
    // An entry has at most as many ends before it as the partition has, and as there are entries
    // before it.
    let n_levels = min(partition_bics[part].a + 1u, PARTITION_LENGTH);
    let first = local * ELEMENTS;
    if first < n_levels {
        // The last segment such that the segments starting at it leave more than `first` begins
        // open. The number never decreases to the left.
        var low = 0u;
        var high = WORKGROUP_SIZE;
        while low < high {
            let middle = (low + high) / 2u;
            if suffix_bic(middle).b > first {
                low = middle + 1u;
            } else {
                high = middle;
            }
        }
        var segment = i32(low) - 1;
        var bitmap = 0u;
        // The partition of the highest bit of the bitmap, and the slot in its slice.
        var source = 0u;
        var slot = 0u;
        if segment >= 0 {
            bitmap = bitmaps[segment];
            source = u32(segment) * ELEMENTS + firstLeadingBit(bitmap);
            slot = half_word(source);
            var n_above = first - suffix_bic(low).b;
            while n_above >= slot {
                n_above -= slot;
                bitmap ^= 1u << (source % ELEMENTS);
                source = u32(segment) * ELEMENTS + firstLeadingBit(bitmap);
                slot = half_word(source);
            }
            slot -= n_above + 1u;
        }
        for (var i = 0u; i < ELEMENTS; i++) {
            if bitmap == 0u {
                stack_before[first + i] = -1;
            } else {
                stack_before[first + i] = i32(slices[source * PARTITION_LENGTH + slot]);
                if slot > 0u {
                    slot -= 1u;
                } else {
                    bitmap ^= 1u << (source % ELEMENTS);
                    if bitmap == 0u {
                        segment = links[segment];
                        if segment >= 0 {
                            bitmap = bitmaps[segment];
                        }
                    }
                    if bitmap != 0u {
                        source = u32(segment) * ELEMENTS + firstLeadingBit(bitmap);
                        slot = half_word(source) - 1u;
                    }
                }
            }
        }
    }
    workgroupBarrier();
}

// The effect of a sequence of entries on the stack: the begins left open, and the number of ends
// without a begin in the sequence.
struct SequenceStack {
    bitmap: u32,
    n_ends: u32,
}

fn stack_of_sequence(begins: u32) -> SequenceStack {
    var stack = SequenceStack(0u, 0u);
    for (var i = 0u; i < ELEMENTS; i++) {
        if ((begins >> i) & 1u) != 0u {
            stack.bitmap |= 1u << i;
        } else if stack.bitmap != 0u {
            stack.bitmap ^= 1u << firstLeadingBit(stack.bitmap);
        } else {
            stack.n_ends += 1u;
        }
    }
    return stack;
}

// Step 3: the top of the stack before sequence `local` once `n_ends` further ends have been
// applied, in the form of `links`.
fn find_top(local: u32, n_ends: u32) -> i32 {
    let top = search_top(local, n_ends);
    if top.leaf_end == 0u {
        return ~i32(top.n_ends);
    }
    let sequence = top.leaf_end - 1u;
    var bitmap = bitmaps[sequence];
    for (var i = 0u; i < top.n_ends; i++) {
        bitmap ^= 1u << firstLeadingBit(bitmap);
    }
    return i32(sequence * ELEMENTS + firstLeadingBit(bitmap));
}

// Step 4: the top of the stack before each entry of a sequence. `top_before` is that before the
// first entry.
fn find_tops(local: u32, begins: u32, top_before: i32) {
    let first = local * ELEMENTS;
    var below = top_before;
    // The begins of the sequence itself that are on the stack.
    var own = 0u;
    var pair = 0u;
    for (var i = 0u; i < ELEMENTS; i++) {
        let own_top = firstLeadingBit(own);
        let top = select(below, i32(first + own_top), own != 0u);
        pair = (pair >> 16u) | (u32(top) << 16u);
        if (i & 1u) != 0u {
            half_words[(first + i) / 2u] = pair;
        }
        if ((begins >> i) & 1u) != 0u {
            own |= 1u << i;
        } else if own != 0u {
            own ^= 1u << own_top;
        } else if below >= 0 {
            let sequence = u32(below) / ELEMENTS;
            let rest = bitmaps[sequence] & ((1u << (u32(below) % ELEMENTS)) - 1u);
            if rest != 0u {
                below = i32(sequence * ELEMENTS + firstLeadingBit(rest));
            } else {
                below = links[sequence];
            }
        } else {
            below -= 1;
        }
    }
}

// Step 4, output. Adjacent invocations write adjacent matches.
fn write_matches(part: u32, local: u32) {
    let part_first = part * PARTITION_LENGTH;
    for (var j = local; j < PARTITION_LENGTH; j += WORKGROUP_SIZE) {
        if part_first + j < config.n_entries {
            let top = i32(half_word(j) << 16u) >> 16u;
            if top >= 0 {
                matches[part_first + j] = i32(part_first) + top;
            } else {
                matches[part_first + j] = stack_before[~top];
            }
        }
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    // Step 1: the reduction of the stack monoid over the prefix.
    let part = workgroup_index(grid);
    reduce_segments(part, local);
    gather_stack(part, local);

    // Step 2: a bitmap for each sequence, and the tree of bicyclic sums over the sequences.
    let first = part * PARTITION_LENGTH + local * ELEMENTS;
    var begins = (1u << ELEMENTS) - 1u;
    if first < config.n_entries {
        begins = begins_at(first);
    }
    let own = stack_of_sequence(begins);
    bitmaps[local] = own.bitmap;
    build_heap(local, pack_bic(own.n_ends, countOneBits(own.bitmap)));

    // Step 3: two searches of the tree. The second yields a list that contains every stack.
    let top_before = find_top(local, 0u);
    links[local] = find_top(local, own.n_ends);
    workgroupBarrier();

    // Step 4: the walk.
    find_tops(local, begins, top_before);
    workgroupBarrier();
    write_matches(part, local);
}
