// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_reduce
// shader: fused_reduce_clipped: clipped

// Stage fused, summaries: for each partition of 1024 elements, its bicyclic sum, its stack slice,
// and for each begin in the slice the intersection of its box and those below it (Levien 2022,
// sections 7.1 and 9). An invocation takes a pair of quads.
//
// With `clipped`, the node stream is not known. Each partition reserves one index per element,
// which is always enough, and `config.n_entries` is the number of elements.
//
// The caller announces the number of begins and ends, `config.n_entries`. If the tags have more,
// the excess counts as no-ops, so that every index into the node stream is below
// `config.n_entries`. The later dispatches rely on this.
//
// | phase     | suffix_sums                 | staged arrays            | barriers                |
// |-----------|-----------------------------|--------------------------|-------------------------|
// | summarise | sums from a pair to the end | -                        | 16 a round              |
// | quads     | -                           | -                        | 1                       |
// | slice     | read                        | batches of n <= 64 slots | 2 + 2 ceil(log2 n) each |

#import aabb
#import bic
#import config
#import grid
#import entry
#import quad
#import summary
#import tag_quad
#import tag_sets

@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
#ifndef clipped
// The number of begins and ends before each partition.
@group(0) @binding(3) var<storage> partition_entries: array<u32>;
#endif
@group(0) @binding(4) var<storage, read_write> summaries: array<PartitionSummary>;
@group(0) @binding(5) var<storage, read_write> slice_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> partition_bics: array<Bic>;

const PAIR_LENGTH = 2u * QUAD_LENGTH;
const N_PAIRS = PARTITION_LENGTH / PAIR_LENGTH;
const ALL_OF_PAIR = 0xffu;

// For the elements of the pairs from each one to the end of the partition: the packed bicyclic sum,
// and the number of entries.
var<workgroup> suffix_sums: array<vec2<u32>, N_PAIRS>;
// The maximum of the quads' minimum depths, plus DEPTH_BIAS.
var<workgroup> highest: atomic<u32>;
// A part of the slice, which is mostly short.
const BATCH_LENGTH = 64u;
var<workgroup> staged_boxes: array<vec4<f32>, BATCH_LENGTH>;
var<workgroup> staged_entries: array<u32, BATCH_LENGTH>;

// The elements of a pair, as sets.
struct Pair {
    begins: u32,
    ends: u32,
    nops: u32,
}

fn read_pair(first: u32) -> Pair {
    if first >= config.n_elements {
        return Pair(0u, 0u, ALL_OF_PAIR);
    }
    let low_tags = draw_tags[first / 4u];
    var high_tags = vec4(TAG_NOP);
    if first + 4u < config.n_elements {
        high_tags = draw_tags[first / 4u + 1u];
    }
    var begins = begins_among(low_tags) | (begins_among(high_tags) << 4u);
    var ends = ends_among(low_tags) | (ends_among(high_tags) << 4u);
    var nops = set_of(low_tags == vec4(TAG_NOP)) | (set_of(high_tags == vec4(TAG_NOP)) << 4u);
    if config.n_elements - first < PAIR_LENGTH {
        let beyond = ALL_OF_PAIR << (config.n_elements - first);
        begins &= ~beyond;
        ends &= ~beyond;
        nops |= beyond;
    }
    return Pair(begins, ends, nops);
}

// The pair with its first `n_kept` begins and ends. The others become no-ops.
fn truncated(pair: Pair, n_kept: u32) -> Pair {
    var dropped = pair.begins | pair.ends;
    for (var i = 0u; i < n_kept && dropped != 0u; i++) {
        dropped &= dropped - 1u;
    }
    return Pair(pair.begins & ~dropped, pair.ends & ~dropped, pair.nops | dropped);
}

// The effect of a pair on the stack.
struct PairStack {
    // The begins that the pair leaves open, and the number of ends without a begin in the pair.
    open: u32,
    n_ends: u32,
    // The minimum depths in its two quads and before each, relative to the depth before the pair.
    low_depth: i32,
    high_depth: i32,
}

// Each end of the second quad without a begin there pops a begin of the first.
fn stack_of_pair(pair: Pair) -> PairStack {
    let low = stack_of_quad(pair.begins & ALL_OF_QUAD, pair.ends & ALL_OF_QUAD);
    let high = stack_of_quad(pair.begins >> 4u, pair.ends >> 4u);
    // In reversed bit order, `m & (m - 1u)` pops the top, even of an empty stack.
    var reversed = reverseBits(low.open);
    #repeat i 4
    reversed &= reversed - u32(high.n_ends > $i);
    #endrepeat
    let n_open = countOneBits(low.open);
    let low_depth = -i32(low.n_ends);
    return PairStack(
        reverseBits(reversed) | (high.open << 4u),
        low.n_ends + max(n_open, high.n_ends) - n_open,
        low_depth,
        low_depth + i32(n_open) - i32(high.n_ends),
    );
}

fn sum_then(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    return vec2(packed_then(x.x, y.x), x.y + y.y);
}

// Fills `suffix_sums` from each pair's own sum, and returns that of the invocation.
fn scan_pairs(local: u32, own: vec2<u32>) -> vec2<u32> {
    var suffix = own;
    suffix_sums[local] = suffix;
    for (var stride = 1u; stride < N_PAIRS; stride <<= 1u) {
        workgroupBarrier();
        var after = vec2(0u);
        if local + stride < N_PAIRS {
            after = suffix_sums[local + stride];
        }
        workgroupBarrier();
        suffix = sum_then(suffix, after);
        suffix_sums[local] = suffix;
    }
    return suffix;
}

struct Summarised {
    pair: Pair,
    stack: PairStack,
    // The item of `suffix_sums`.
    suffix: vec2<u32>,
}

// Phase "summarise": the effect of the pair on the stack, and the sum of the elements from the pair
// to the end of the partition. 14 barriers. The uniform load of the partition's sum has two more.
fn summarise(local: u32, pair: Pair) -> Summarised {
    let stack = stack_of_pair(pair);
    let bic = pack_bic(stack.n_ends, countOneBits(stack.open));
    let suffix = scan_pairs(local, vec2(bic, countOneBits(pair.begins | pair.ends)));
    return Summarised(pair, stack, suffix);
}

// Phase "quads": stores the two quads of the pair, and all of the summary except the slice. `all`
// is the sum of the partition. The depth before the pair follows from it and from the sum of the
// pairs starting at this one. One barrier, after which the maximum of the minimum depths of the
// quads is known.
fn store_quads(part: u32, local: u32, first_entry: u32, summarised: Summarised, all: vec2<u32>) {
    let pair = summarised.pair;
    let suffix = summarised.suffix;
    let bic = Bic(all.x >> 16u, all.x & 0xffffu);
    let depth = i32(bic.b) - i32(bic.a) - (i32(suffix.x & 0xffffu) - i32(suffix.x >> 16u));
    let n_before = all.y - suffix.y;
    let low_depth = depth + summarised.stack.low_depth;
    let high_depth = depth + summarised.stack.high_depth;
    let leaves = ALL_OF_PAIR & ~(pair.begins | pair.ends | pair.nops);
    summaries[part].packed_quads[2u * local] = pack_quad(
        pair.begins & ALL_OF_QUAD,
        pair.ends & ALL_OF_QUAD,
        leaves & ALL_OF_QUAD,
        n_before,
        low_depth,
    );
    summaries[part].packed_quads[2u * local + 1u] = pack_quad(
        pair.begins >> 4u,
        pair.ends >> 4u,
        leaves >> 4u,
        n_before + countOneBits((pair.begins | pair.ends) & ALL_OF_QUAD),
        high_depth,
    );
    atomicMax(&highest, u32(max(low_depth, high_depth) + DEPTH_BIAS));
    workgroupBarrier();
    if local == 0u {
        summaries[part].n_levels = atomicLoad(&highest) + 1u + bic.a - u32(DEPTH_BIAS);
        summaries[part].bic = bic;
        partition_bics[part] = bic;
        summaries[part].first_entry = first_entry;
        summaries[part].n_entries = all.y;
    }
}

// The intersection of the staged boxes up to each one, in place. Starts after a barrier. Each of
// the ceil(log2 n) rounds has two barriers.
fn scan_staged(local: u32, n_staged: u32) -> vec4<f32> {
    var box = PLANE;
    if local < n_staged {
        box = staged_boxes[local];
    }
    for (var stride = 1u; stride < n_staged; stride <<= 1u) {
        var before = PLANE;
        if local >= stride && local < n_staged {
            before = staged_boxes[local - stride];
        }
        workgroupBarrier();
        box = meet(before, box);
        if local < n_staged {
            staged_boxes[local] = box;
        }
        workgroupBarrier();
    }
    return box;
}

// Phase "slice": stores the slice and its boxes, BATCH_LENGTH slots at a time. Each pair stages
// those of its begins that no later pair closes, which are its lowest open ones. Then each
// invocation stores one slot. A batch has two barriers, apart from scan_staged.
fn store_slice(part: u32, local: u32, first_entry: u32, summarised: Summarised, all: vec2<u32>) {
    let first = part * PARTITION_LENGTH + PAIR_LENGTH * local;
    let entries = summarised.pair.begins | summarised.pair.ends;
    let first_entry_of_pair = first_entry + all.y - summarised.suffix.y;
    let n_slice = all.x & 0xffffu;
    var open = summarised.stack.open;
    let n_open = countOneBits(open);
    var n_closed = 0u;
    if local + 1u < N_PAIRS {
        n_closed = suffix_sums[local + 1u].x >> 16u;
    }
    var slot = n_slice - (summarised.suffix.x & 0xffffu);
    let slot_end = slot + n_open - min(n_open, n_closed);
    var below = PLANE;
    for (var batch = 0u; batch < n_slice; batch += BATCH_LENGTH) {
        while slot < min(slot_end, batch + BATCH_LENGTH) {
            let i = firstTrailingBit(open);
            open &= open - 1u;
            staged_boxes[slot - batch] = element_boxes[first + i];
            staged_entries[slot - batch] = first_entry_of_pair + countOneBits(entries & ((1u << i) - 1u));
            slot += 1u;
        }
        workgroupBarrier();
        let n_staged = min(n_slice - batch, BATCH_LENGTH);
        let box = meet(below, scan_staged(local, n_staged));
        if local < n_staged {
            slice_boxes[part * PARTITION_LENGTH + batch + local] = box;
            summaries[part].slice[batch + local] = staged_entries[local];
        }
        below = meet(below, staged_boxes[n_staged - 1u]);
        workgroupBarrier();
    }
}

@compute @workgroup_size(N_PAIRS)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
#ifdef clipped
    let first_entry = part * PARTITION_LENGTH;
#else
    let first_entry = min(partition_entries[part], config.n_entries);
#endif
    let n_announced = config.n_entries - first_entry;
    if local == 0u {
        atomicStore(&highest, 0u);
    }

    // The partition's sum is not a member of Summarised, because the others are not uniform.
    var summarised: Summarised;
    var all: vec2<u32>;
    var pair = read_pair(part * PARTITION_LENGTH + PAIR_LENGTH * local);
    loop {
        summarised = summarise(local, pair);
        all = workgroupUniformLoad(&suffix_sums[0]);
        if all.y <= n_announced {
            break;
        }
        // There are more entries than announced. A second round counts without the excess.
        let n_before = all.y - summarised.suffix.y;
        pair = truncated(pair, n_announced - min(n_announced, n_before));
    }
    store_quads(part, local, first_entry, summarised, all);
    store_slice(part, local, first_entry, summarised, all);
}
