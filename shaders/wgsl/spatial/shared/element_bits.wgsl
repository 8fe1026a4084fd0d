// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORKGROUP_SIZE
// provides: WORDS_PER_WORKGROUP, clear_element_bits, element_bits_of, set_element_bit

// One bit per invocation of a workgroup, each of which has an element.

const WORDS_PER_WORKGROUP = WORKGROUP_SIZE / 32u;
var<workgroup> element_bits: array<atomic<u32>, WORDS_PER_WORKGROUP>;

// Ends with a barrier.
fn clear_element_bits(local: u32) {
    if local < WORDS_PER_WORKGROUP {
        atomicStore(&element_bits[local], 0u);
    }
    workgroupBarrier();
}

fn set_element_bit(local: u32) {
    atomicOr(&element_bits[local / 32u], 1u << (local % 32u));
}

fn element_bits_of(word: u32) -> u32 {
    return atomicLoad(&element_bits[word]);
}
