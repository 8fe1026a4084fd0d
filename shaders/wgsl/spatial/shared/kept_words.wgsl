// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: KEPT_PARTITIONS, WORDS_PER_PARTITION, WORKGROUP_SIZE, config, n_partitions, valid_bits
// provides: is_part, kept_words, n_kept_before, prepare_kept_words

// The words of the mask of a partition, the number of kept items up to each, and the number of kept
// items before the partition. With `wide`, they are those of four partitions in a row.
//
// If there are at most 256 partitions, `few` is defined. A workgroup then adds up the counts of the
// partitions before its own itself, one per invocation, without a scan in a dispatch of its own.
// With `wide` too, a count is that of four partitions, and there are up to 2048 of them.

@group(0) @binding(3) var<storage> mask: array<u32>;
@group(0) @binding(4) var<storage> partition_counts: array<u32>;
#ifdef few
@group(0) @binding(5) var<storage, read_write> draw_arguments: array<u32>;
#endif

const N_SUMMED = WORKGROUP_SIZE;
#ifdef few
// Kept items up to a word, and those of the partitions up to one.
alias Summed = vec2<u32>;
#else
alias Summed = u32;
#endif
#import prefix_sum

const N_KEPT_WORDS = KEPT_PARTITIONS * WORDS_PER_PARTITION;

// The bits of each word, and the number of kept items up to and including it.
var<workgroup> kept_words: array<vec2<u32>, N_KEPT_WORDS>;

// Whether a workgroup has a partition. With `few`, the first one has, even without items.
fn is_part(part: u32, n: u32) -> bool {
#ifdef few
    return part < max(n_partitions(n), 1u);
#else
    return part < n_partitions(n);
#endif
}

// Ends with a barrier.
fn prepare_kept_words(part: u32, local: u32, n: u32) {
    var bits = 0u;
    let word = part * WORDS_PER_PARTITION + local;
    if local < N_KEPT_WORDS && 32u * word < n {
        bits = mask[word] & valid_bits(word, n);
    }
    // Only the first invocations have a word. The barriers in here are for everyone.
#ifdef few
    var n_earlier = 0u;
    let n_counts = part / KEPT_PARTITIONS;
#ifdef wide
    #repeat i 8
    if $i * WORKGROUP_SIZE + local < n_counts {
        n_earlier += partition_counts[$i * WORKGROUP_SIZE + local];
    }
    #endrepeat
#else
    if local < n_counts {
        n_earlier = partition_counts[local];
    }
#endif
    let end = prefix_sum(local, vec2(countOneBits(bits), n_earlier)).x;
#else
    let end = prefix_sum(local, countOneBits(bits));
#endif
    if local < N_KEPT_WORDS {
        kept_words[local] = vec2(bits, end);
    }
    workgroupBarrier();
#ifdef few
    if local == 0u && part + KEPT_PARTITIONS >= n_partitions(n) {
        draw_arguments[0] = config.n_vertices;
        draw_arguments[1] = n_kept_before(part) + kept_words[N_KEPT_WORDS - 1u].y;
        draw_arguments[2] = 0u;
        draw_arguments[3] = 0u;
    }
#endif
}

fn n_kept_before(part: u32) -> u32 {
#ifdef few
    return prefix_sums[WORKGROUP_SIZE - 1u].y;
#else
    return partition_counts[part];
#endif
}
