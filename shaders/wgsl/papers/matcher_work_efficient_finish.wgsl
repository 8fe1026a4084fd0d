// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher work_efficient, 2 of 2: the top of the stack before every entry, 2, 4 or 8 entries an invocation. The steps are those of
// Levien 2022, section 8.2. With 8 entries they take all of the workgroup memory that WebGPU grants: so a bicyclic sum of entries of
// the partition is packed into a word, a count of them into half a word, and later steps take over the arrays of step 1.

#import bic
#import config
#import packed_bic
#import packed_search
#import sequence

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> matches: array<i32>;

const BITMAP = (1u << ELEMENTS) - 1u;

// The begins open before the partition, innermost first, -1 below the bottom: the prefix stack.
var<workgroup> stack_before: array<i32, PARTITION_LENGTH>;
// Halves of words, the even one low. In step 1, how many begins of each earlier partition are open before this one; in step 4,
// the top of the stack before each entry, as `links` has it.
var<workgroup> pairs: array<u32, PARTITION_LENGTH / 2u>;
// In step 1, of a segment of ELEMENTS earlier partitions: which have begins that are open before this one, and the last segment
// before it that has such partitions, -1 for none. From step 2 on, of a sequence of ELEMENTS entries: which are begins that it
// leaves open, and where the stack goes on below these: an entry of the partition, or the complement of an index into the prefix
// stack.
var<workgroup> bitmaps: array<u32, WORKGROUP_SIZE>;
var<workgroup> links: array<i32, WORKGROUP_SIZE>;

fn half_word(index: u32) -> u32 {
    return (pairs[index / 2u] >> (16u * (index & 1u))) & 0xffffu;
}

// Bic of the segments from this one up to the partition, in the memory of the tree that step 2 builds.
fn suffix_bic(segment: u32) -> Bic {
    if segment == WORKGROUP_SIZE {
        return Bic(0u, 0u);
    }
    return Bic(packed_tree[segment], packed_tree[WORKGROUP_SIZE + segment]);
}

fn set_suffix_bic(segment: u32, bic: Bic) {
    packed_tree[segment] = bic.a;
    packed_tree[WORKGROUP_SIZE + segment] = bic.b;
}

// Step 1, input: a segment of earlier partitions an invocation. Ends with a barrier.
fn reduce_segments(part: u32, local: u32) {
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
            pairs[(first + i) / 2u] = pair;
        }
    }
    bitmaps[local] = bitmap;

    // The last segment up to each that has a bit set, then up to the one before.
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

// Step 1, output: ELEMENTS indices of the prefix stack an invocation, as many as the partition looks up. Ends with a barrier.
fn gather_stack(part: u32, local: u32) {
    // No entry has more ends before it than there are in the partition, nor than there are entries before it.
    let n_levels = min(partition_bics[part].a + 1u, PARTITION_LENGTH);
    let first = local * ELEMENTS;
    if first < n_levels {
        // The last segment from which on more than `first` begins are open. Bic.b only grows to the left.
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
        // The partition that the bitmap's highest bit stands for, and the slot of its slice.
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

// The stack that a sequence of entries leaves.
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

// Step 3: the top of the stack before sequence `local` once `n_ends` ends have been applied to it, as `links` has it.
fn search_top(local: u32, n_ends: u32) -> i32 {
    let place = search_words(local, n_ends);
    if place.word_end == 0u {
        return ~i32(place.n_ends);
    }
    let sequence = place.word_end - 1u;
    var bitmap = bitmaps[sequence];
    for (var i = 0u; i < place.n_ends; i++) {
        bitmap ^= 1u << firstLeadingBit(bitmap);
    }
    return i32(sequence * ELEMENTS + firstLeadingBit(bitmap));
}

// Step 4: the top of the stack before each entry of a sequence, from that before the first.
fn find_tops(local: u32, begins: u32, top_before: i32) {
    let first = local * ELEMENTS;
    var below = top_before;
    // The begins that the sequence itself has pushed.
    var own = 0u;
    var pair = 0u;
    for (var i = 0u; i < ELEMENTS; i++) {
        let own_top = firstLeadingBit(own);
        let top = select(below, i32(first + own_top), own != 0u);
        pair = (pair >> 16u) | (u32(top) << 16u);
        if (i & 1u) != 0u {
            pairs[(first + i) / 2u] = pair;
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

// Step 4, output. Neighbours write neighbours.
fn write_matches(part: u32, local: u32) {
    let part_first = part * PARTITION_LENGTH;
    for (var j = local; j < PARTITION_LENGTH; j += WORKGROUP_SIZE) {
        if part_first + j < config.n_nodes {
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
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let part = workgroup.x;
    reduce_segments(part, local);
    gather_stack(part, local);

    // Step 2.
    let first = part * PARTITION_LENGTH + local * ELEMENTS;
    var begins = BITMAP;
    if first < config.n_nodes {
        begins = begins_of_sequence(begin_bits[first / 32u], first, config.n_nodes);
    }
    let own = stack_of_sequence(begins);
    bitmaps[local] = own.bitmap;
    build_packed_tree(local, pack_bic(own.n_ends, countOneBits(own.bitmap)));

    // The stack before each sequence is a list: its top, and from there on by the links.
    let top_before = search_top(local, 0u);
    links[local] = search_top(local, own.n_ends);
    workgroupBarrier();
    find_tops(local, begins, top_before);
    workgroupBarrier();
    write_matches(part, local);
}
