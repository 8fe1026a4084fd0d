// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher hierarchical, first dispatch: the stack slice and the bicyclic sum of each partition of 8192 entries, 32 an
// invocation.

#import config
#import bic
#import word_stack

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;

// Bic of the words from this one to the end of the partition.
var<workgroup> suffix_bics: array<Bic, WORKGROUP_SIZE>;

// A stretch of the slice on its way to storage.
const STAGED = 8u * WORKGROUP_SIZE;
var<workgroup> staged: array<u32, STAGED>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_node_partitions {
        return;
    }
    let word_index = part * WORKGROUP_SIZE + local;
    let first = 32u * word_index;
    var word = 0u;
    if first < config.n_nodes {
        word = begin_bits[word_index];
    }
    let stack = stack_of_word(masked_word(word, first, config.n_nodes));
    let n_open = countOneBits(stack.mask);
    var bic = Bic(stack.a, n_open);
    suffix_bics[local] = bic;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var after = Bic(0u, 0u);
        if local + stride < WORKGROUP_SIZE {
            after = suffix_bics[local + stride];
        }
        workgroupBarrier();
        bic = bic_then(bic, after);
        suffix_bics[local] = bic;
    }
    workgroupBarrier();
    let partition_bic = suffix_bics[0];
    if local == 0u {
        partition_bics[part] = partition_bic;
    }
    var n_closed = 0u;
    if local + 1u < WORKGROUP_SIZE {
        n_closed = suffix_bics[local + 1u].a;
    }
    // The outermost begins of the word stay open: the lowest bits of its mask.
    var mask = stack.mask;
    var slot = partition_bic.b - bic.b;
    let slot_end = slot + n_open - min(n_open, n_closed);
    for (var stretch = 0u; stretch < partition_bic.b; stretch += STAGED) {
        while slot < min(slot_end, stretch + STAGED) {
            staged[slot - stretch] = first + firstTrailingBit(mask);
            mask &= mask - 1u;
            slot += 1u;
        }
        workgroupBarrier();
        for (var j = stretch + local; j < min(partition_bic.b, stretch + STAGED); j += WORKGROUP_SIZE) {
            let index = part * 32u * WORKGROUP_SIZE + j;
            if index < config.n_nodes {
                slices[index] = staged[j - stretch];
            }
        }
        workgroupBarrier();
    }
}
