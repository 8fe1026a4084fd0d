// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 3, the first half of a round of the fuzzy c-means with the exponent 2. Sums
// up the weights of the boxes in each cluster, and their weighted centers.
//
// Source: Bezdek, *Pattern Recognition with Fuzzy Objective Function Algorithms*, 1981.
//
// A tile has a point per invocation. First an invocation prepares its point. Then it has a cluster
// and a slice of the points of the tile, so that its sums stay in registers.

#import grid
#import n_items
#import cluster_config
#import cluster_points
#import cluster_squares
#import cluster_sums
#import two_words

// The bits of the fractions of affinities and shares. Both are at most 1.
const SHARE_BITS = 15u;
// The square of a share has 30 bits as its fraction, and a weight 16.
const WEIGHT_SHIFT = 14u;
// The maximum bits of the smallest squared distance of a point, so that its product with 2^15 is a
// u32.
const DIVISOR_BITS = 16u;

// A point, and what its weights have in common: the smallest squared distance, the number of bits
// that squared distances are shifted by, and the sum of the affinities.
struct Weighed {
    point: u32,
    least: u32,
    shift: u32,
    total: u32,
}

var<workgroup> tile: array<Weighed, WORKGROUP_SIZE>;

// The smallest squared distance of a point, divided by that to a cluster.
fn affinity(least: u32, shift: u32, square: u32) -> u32 {
    return (least << SHARE_BITS) / (square >> shift);
}

fn weighed(packed: u32) -> Weighed {
    let point = point_of(packed);
    var least = 0xffffffffu;
    for (var cluster = 0u; cluster < config.n_clusters; cluster++) {
        least = min(least, square_of(offset_from(cluster, point)));
    }
    let shift = max(firstLeadingBit(least) + 1u, DIVISOR_BITS) - DIVISOR_BITS;
    least >>= shift;
    // At most 64 affinities of at most 2^15.
    var total = 0u;
    for (var cluster = 0u; cluster < config.n_clusters; cluster++) {
        total += affinity(least, shift, square_of(offset_from(cluster, point)));
    }
    return Weighed(packed, least, shift, total);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let share = workgroup_index(grid);
    if share >= config.n_shares {
        return;
    }
    load_means(local);
    clear_own_sums(local);
    workgroupBarrier();
    let n = n_items();
    // The number of slices is that of the invocations divided by a power of two.
    let lg_clusters = firstLeadingBit(2u * config.n_clusters - 1u);
    let cluster = local & ((1u << lg_clusters) - 1u);
    let n_slices = WORKGROUP_SIZE >> lg_clusters;
    let is_summed = cluster < config.n_clusters;
    var x_sum = vec2(0u);
    var y_sum = vec2(0u);
    var sum = vec2(0u);
    for (var first = share * WORKGROUP_SIZE; first < n; first += config.n_shares * WORKGROUP_SIZE) {
        var packed = NO_CENTER;
        if first + local < n {
            packed = centers[first + local];
        }
        if packed == NO_CENTER {
            // All its weights are 0.
            tile[local] = Weighed(0u, 0u, 0u, 1u);
        } else {
            tile[local] = weighed(packed);
        }
        workgroupBarrier();
        for (var at = local >> lg_clusters; at < WORKGROUP_SIZE; at += n_slices) {
            let own = tile[at];
            if is_summed {
                let point = point_of(own.point);
                let square = square_of(offset_from(cluster, point));
                let own_share = (affinity(own.least, own.shift, square) << SHARE_BITS) / own.total;
                // At most 2^16, and its product with a coordinate is less than 2^31.
                let weight = i32((own_share * own_share) >> WEIGHT_SHIFT);
                x_sum = added(x_sum, weight * point.x);
                y_sum = added(y_sum, weight * point.y);
                sum = added(sum, weight);
            }
        }
        workgroupBarrier();
    }
    if is_summed {
        add_to_cluster(cluster, x_sum, y_sum, sum);
    }
    workgroupBarrier();
    add_to_sums(local);
}
