// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage bound, first dispatch: what other partitions of 1024 elements need to know of one: its bicyclic sum and its stack slice,
// and the intersection of each begin in the slice with those below it there (Levien 2022, sections 7.1 and 9).

#import aabb
#import bic
#import config
#import node
#import packed_bic
#import quad
#import summary
#import tag_quad

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> draw_tags: array<vec4<u32>>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
// How many entries of the node stream precede each partition.
@group(0) @binding(3) var<storage> partition_nodes: array<u32>;
@group(0) @binding(4) var<storage, read_write> summaries: array<PartitionSummary>;
@group(0) @binding(5) var<storage, read_write> slice_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> partition_bics: array<Bic>;

// An invocation takes a pair of quads.
const PAIR_LENGTH = 2u * QUAD_LENGTH;
const N_PAIRS = PARTITION_LENGTH / PAIR_LENGTH;
const ALL_OF_PAIR = 0xffu;

// Bicyclic sums, packed, and nodes of the pairs from this one on.
var<workgroup> suffix_sums: array<vec2<u32>, N_PAIRS>;
// The greatest of the quads' least depths, above -1024.
var<workgroup> highest: atomic<u32>;
// A stretch of the slice, which is mostly short.
const STRETCH = 64u;
var<workgroup> staged_boxes: array<vec4<f32>, STRETCH>;
var<workgroup> staged_nodes: array<u32, STRETCH>;

fn sum_then(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    return vec2(packed_then(x.x, y.x), x.y + y.y);
}

// The stack that two quads in a row leave: as many begins of the first fall as ends of the second have none of their own.
fn stack_of_pair(low: QuadStack, high: QuadStack) -> QuadStack {
    // The set the other way round, where `m & (m - 1u)` pops, also if there is nothing to pop.
    var reversed = reverseBits(low.open);
    #repeat i 4
    reversed &= reversed - u32(high.n_ends > $i);
    #endrepeat
    let n_open = countOneBits(low.open);
    return QuadStack(reverseBits(reversed) | (high.open << 4u), low.n_ends + max(n_open, high.n_ends) - n_open);
}

@compute @workgroup_size(N_PAIRS)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_partitions {
        return;
    }
    let first = part * PARTITION_LENGTH + PAIR_LENGTH * local;
    let first_node = partition_nodes[part];
    var begins = 0u;
    var ends = 0u;
    var nops = ALL_OF_PAIR;
    if first < config.n_elements {
        let low_tags = draw_tags[first / 4u];
        var high_tags = vec4(TAG_NOP);
        if first + 4u < config.n_elements {
            high_tags = draw_tags[first / 4u + 1u];
        }
        begins = begins_among(low_tags) | (begins_among(high_tags) << 4u);
        ends = ends_among(low_tags) | (ends_among(high_tags) << 4u);
        nops = set_of(low_tags == vec4(TAG_NOP)) | (set_of(high_tags == vec4(TAG_NOP)) << 4u);
        if config.n_elements - first < PAIR_LENGTH {
            let beyond = ALL_OF_PAIR << (config.n_elements - first);
            begins &= ~beyond;
            ends &= ~beyond;
            nops |= beyond;
        }
    }
    let leaves = ALL_OF_PAIR & ~(begins | ends | nops);
    let low = stack_of_quad(begins & ALL_OF_QUAD, ends & ALL_OF_QUAD);
    let high = stack_of_quad(begins >> 4u, ends >> 4u);
    let stack = stack_of_pair(low, high);
    let n_open = countOneBits(stack.open);
    let own = vec2(pack_bic(stack.n_ends, n_open), countOneBits(begins | ends));
    if local == 0u {
        atomicStore(&highest, 0u);
    }
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
    let all = workgroupUniformLoad(&suffix_sums[0]);
    let n_slice = all.x & 0xffffu;
    // The depth before the strip, by what is left from it on.
    let depth = i32(n_slice) - i32(all.x >> 16u) - (i32(suffix.x & 0xffffu) - i32(suffix.x >> 16u));
    let n_before = all.y - suffix.y;
    let low_depth = depth - i32(low.n_ends);
    let high_depth = low_depth + i32(countOneBits(low.open)) - i32(high.n_ends);
    summaries[part].quads[2u * local] =
        pack_quad(begins & ALL_OF_QUAD, ends & ALL_OF_QUAD, leaves & ALL_OF_QUAD, n_before, low_depth);
    summaries[part].quads[2u * local + 1u] = pack_quad(
        begins >> 4u,
        ends >> 4u,
        leaves >> 4u,
        n_before + countOneBits((begins | ends) & ALL_OF_QUAD),
        high_depth,
    );
    atomicMax(&highest, u32(max(low_depth, high_depth) + 1024));
    workgroupBarrier();
    if local == 0u {
        summaries[part].n_levels = atomicLoad(&highest) + 1u + (all.x >> 16u) - 1024u;
        summaries[part].bic = Bic(all.x >> 16u, n_slice);
        partition_bics[part] = Bic(all.x >> 16u, n_slice);
        summaries[part].first_node = first_node;
        summaries[part].n_nodes = all.y;
    }

    // The slice, a stretch at a time. The lowest begins of a strip are those that stay open.
    var n_closed = 0u;
    if local + 1u < N_PAIRS {
        n_closed = suffix_sums[local + 1u].x >> 16u;
    }
    var slot = n_slice - (suffix.x & 0xffffu);
    let slot_end = slot + n_open - min(n_open, n_closed);
    var open = stack.open;
    var below = PLANE;
    for (var stretch = 0u; stretch < n_slice; stretch += STRETCH) {
        while slot < min(slot_end, stretch + STRETCH) {
            let i = firstTrailingBit(open);
            open &= open - 1u;
            staged_boxes[slot - stretch] = element_boxes[first + i];
            staged_nodes[slot - stretch] = first_node + n_before + countOneBits((begins | ends) & ((1u << i) - 1u));
            slot += 1u;
        }
        workgroupBarrier();
        let n_staged = min(n_slice - stretch, STRETCH);
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
        box = meet(below, box);
        if local < n_staged {
            slice_boxes[part * PARTITION_LENGTH + stretch + local] = box;
            summaries[part].slice[stretch + local] = staged_nodes[local];
        }
        below = meet(below, staged_boxes[n_staged - 1u]);
        workgroupBarrier();
    }
}
