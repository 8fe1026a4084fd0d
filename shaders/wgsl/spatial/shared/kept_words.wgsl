// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORDS_PER_PARTITION, WORKGROUP_SIZE, valid_bits
// provides: kept_words, kept_words_end, prepare_kept_words

// The words of the mask of a partition, and the number of kept items up to each, in workgroup
// memory.

@group(0) @binding(3) var<storage> mask: array<u32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

var<workgroup> kept_words: array<u32, WORDS_PER_PARTITION>;

// Ends with a barrier.
fn prepare_kept_words(part: u32, local: u32, n: u32) {
    var bits = 0u;
    let word = part * WORDS_PER_PARTITION + local;
    if local < WORDS_PER_PARTITION {
        if 32u * word < n {
            bits = mask[word] & valid_bits(word, n);
        }
        kept_words[local] = bits;
    }
    // Only the first invocations have a word. The barriers in here are for everyone.
    prefix_sum(local, countOneBits(bits));
}

// The number of kept items of the partition up to and including a word. The sums of 256
// invocations end up in the first half of `prefix_sums`.
fn kept_words_end(word: u32) -> u32 {
    return prefix_sums[word];
}
