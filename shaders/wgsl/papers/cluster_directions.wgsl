// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 6: the principal direction of each cluster, one per invocation. It is the
// eigenvector of the larger eigenvalue of the second moments, as whole numbers. It makes the sums
// zeros again.

#import cluster_config
#import two_words

@group(0) @binding(1) var<storage, read_write> sums: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> directions: array<vec2<i32>>;

// The bits of a moment, so that the sum of the squares below is a u32.
const MOMENT_BITS = 14u;

// The larger component of a direction.
const DIRECTION_LENGTH = 1024u;

fn square_root(v: u32) -> u32 {
    var root = 0u;
    for (var bit = 1u << 15u; bit != 0u; bit >>= 1u) {
        let larger = root | bit;
        root = select(root, larger, larger * larger <= v);
    }
    return root;
}

// The direction of the larger eigenvalue, or (1024, 0) if all directions are alike.
fn direction_of(xx: i32, xy: i32, yy: i32) -> vec2<i32> {
    let difference = xx - yy;
    let mixed = 2 * xy;
    let root = i32(square_root(u32(difference * difference + mixed * mixed)));
    let vector = select(vec2(mixed, root - difference), vec2(difference + root, mixed), difference >= 0);
    let lengths = vec2<u32>(abs(vector));
    let longest = max(lengths.x, lengths.y);
    if longest == 0u {
        return vec2(i32(DIRECTION_LENGTH), 0);
    }
    return sign(vector) * vec2<i32>((lengths * DIRECTION_LENGTH + longest / 2u) / longest);
}

@compute @workgroup_size(MAX_CLUSTERS)
fn main(@builtin(local_invocation_index) cluster: u32) {
    if cluster >= config.n_clusters {
        return;
    }
    let xx = sums[3u * cluster];
    let xy = sums[3u * cluster + 1u];
    let yy = sums[3u * cluster + 2u];
    // The mixed moment is not larger than the larger one of the others, which are not negative.
    let shift = max(max(n_bits_of(xx), n_bits_of(yy)), MOMENT_BITS) - MOMENT_BITS;
    let moments = vec3<i32>(vec3(shifted(xx, shift), shifted(xy, shift), shifted(yy, shift)));
    directions[cluster] = direction_of(moments.x, moments.y, moments.z);
    #repeat i 3
    sums[3u * cluster + $i] = vec2(0u);
    #endrepeat
}
