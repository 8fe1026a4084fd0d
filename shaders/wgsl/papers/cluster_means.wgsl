// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 4, the second half of a round of the fuzzy c-means: the mean of each
// cluster, one per invocation. It makes the sums zeros again.

#import cluster_config
#import cluster_points
#import two_words

@group(0) @binding(1) var<storage, read_write> sums: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> means: array<u32>;

// The maximum bits of the divisor of a mean, so that the dividend is a u32.
const DIVISOR_BITS = 16u;

@compute @workgroup_size(MAX_CLUSTERS)
fn main(@builtin(local_invocation_index) cluster: u32) {
    if cluster >= config.n_clusters {
        return;
    }
    let total = sums[3u * cluster + 2u];
    let shift = max(n_bits_of(total), DIVISOR_BITS) - DIVISOR_BITS;
    let divisor = shifted(total, shift);
    // A mean without weight stays.
    if divisor != 0u {
        let dividend = vec2(shifted(sums[3u * cluster], shift), shifted(sums[3u * cluster + 1u], shift));
        means[cluster] = packed_point(min(dividend / divisor, vec2(LAST_CENTER)));
    }
    #repeat i 3
    sums[3u * cluster + $i] = vec2(0u);
    #endrepeat
}
