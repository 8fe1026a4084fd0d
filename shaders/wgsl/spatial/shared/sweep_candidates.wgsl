// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: INDEX_MASK, WORKGROUP_SIZE, config, is_pair_of, n_items
// provides: sweep

// The number of pairs in each chunk of the candidates of a sweep, or with `list` the pairs. A
// workgroup has a chunk, which is a whole number of partitions. The importing file declares
// `is_pair_of(own, other)`: whether two items of `swept` that are a candidate are a pair.
//
// The candidates are not stored: an invocation finds the owner of a candidate from the sums of
// their numbers.

#import owners
#ifdef list
#import prefix_sum
#endif

// The candidates before those of each item, and their total.
@group(0) @binding(2) var<storage> sums: array<u32>;
// The items in the order of the sweep: first the index of the box, last the sum.
@group(0) @binding(3) var<storage> swept: array<vec4<u32>>;
#ifdef list
// The pairs before those of each chunk, and their total.
@group(0) @binding(4) var<storage> pair_sums: array<u32>;
@group(0) @binding(5) var<storage, read_write> pairs: array<vec2<u32>>;
#else
@group(0) @binding(4) var<storage, read_write> n_pairs: array<u32>;
#endif

const WORDS_PER_PARTITION = OUTPUTS_PER_PARTITION / 32u;
#ifdef list
// A bit per candidate of a partition, 1 if it is a pair.
var<workgroup> pair_bits: array<atomic<u32>, WORDS_PER_PARTITION>;
#else
var<workgroup> n_pairs_found: atomic<u32>;
#endif

// Counts or lists the pairs of a chunk of the candidates.
fn sweep(local: u32, chunk: u32) {
    if chunk >= config.n_chunks {
        return;
    }
    let n = n_items();
    let n_candidates = sums[n];
    // Sums beyond the range of a u32 are not known.
    let is_known = n_candidates != 0xffffffffu;
#ifdef list
    let first_pair = pair_sums[chunk];
    if !is_known || first_pair >= config.output_capacity || first_pair == pair_sums[chunk + 1u] {
        return;
    }
    var n_before = first_pair;
#else
    var n_own = 0u;
    if local == 0u {
        atomicStore(&n_pairs_found, 0u);
    }
#endif
    let n_partitions = n_candidates / OUTPUTS_PER_PARTITION
        + u32(n_candidates % OUTPUTS_PER_PARTITION != 0u);
    let n_per_chunk = n_partitions / config.n_chunks + u32(n_partitions % config.n_chunks != 0u);
    let first_part = chunk * n_per_chunk;
    let end_part = select(0u, min(first_part + n_per_chunk, n_partitions), is_known);
    for (var part = first_part; part < end_part; part++) {
        let first = part * OUTPUTS_PER_PARTITION;
        let last = n_candidates - 1u - first;
#ifdef list
        if local < WORDS_PER_PARTITION {
            atomicStore(&pair_bits[local], 0u);
        }
#endif
        prepare_owners(local, first, n);
        // Loads without conditions are in flight at the same time.
        var owners: array<vec4<u32>, 8>;
        var others: array<vec4<u32>, 8>;
        #repeat round 8
        let candidate = first + min($round * WORKGROUP_SIZE + local, last);
        let owner = owner_of(candidate);
        owners[$round] = swept[owner];
        others[$round] = swept[owner + 1u + candidate - owners[$round].w];
        #endrepeat
        #repeat round 8
        let is_pair = $round * WORKGROUP_SIZE + local <= last
            && is_pair_of(owners[$round], others[$round]);
#ifdef list
        if is_pair {
            atomicOr(&pair_bits[($round * WORKGROUP_SIZE + local) / 32u], 1u << (local % 32u));
        }
#else
        n_own += u32(is_pair);
#endif
        #endrepeat
        workgroupBarrier();
#ifdef list
        var bits = 0u;
        if local < WORDS_PER_PARTITION {
            bits = atomicLoad(&pair_bits[local]);
        }
        prefix_sum(local, countOneBits(bits));
        #repeat round 8
        let word = ($round * WORKGROUP_SIZE + local) / 32u;
        let word_bits = atomicLoad(&pair_bits[word]);
        let own_bit = 1u << (local % 32u);
        // The sums of 256 invocations end up in the first half of `prefix_sums`.
        let place = n_before + prefix_sums[word] - countOneBits(word_bits & ~(own_bit - 1u));
        if (word_bits & own_bit) != 0u && place < config.output_capacity {
            let items = vec2(owners[$round].x, others[$round].x) & vec2(INDEX_MASK);
            pairs[place] = vec2(min(items.x, items.y), max(items.x, items.y));
        }
        #endrepeat
        // Sums beyond the capacity could overflow.
        n_before = min(n_before + prefix_sums[WORKGROUP_SIZE - 1u], config.output_capacity);
        workgroupBarrier();
#endif
    }
#ifndef list
    atomicAdd(&n_pairs_found, n_own);
    workgroupBarrier();
    if local == 0u {
        n_pairs[chunk] = select(0xffffffffu, atomicLoad(&n_pairs_found), is_known);
    }
#endif
}
