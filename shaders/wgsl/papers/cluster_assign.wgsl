// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 5: the bounds of the boxes that are nearest to the mean of each cluster, and
// the second moments of their centers around it.

#import grid
#import n_items
#import cluster_config
#import cluster_points
#import cluster_squares
#import cluster_sums
#import coordinate_keys
#import two_words

@group(0) @binding(5) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> cluster_bounds: array<atomic<u32>>;

// The bounds of the boxes of the workgroup.
var<workgroup> own_bounds: array<atomic<u32>, 4u * MAX_CLUSTERS>;

// The first of the nearest clusters.
fn nearest_to(point: vec2<i32>) -> u32 {
    var nearest = 0u;
    var least = 0xffffffffu;
    for (var cluster = 0u; cluster < config.n_clusters; cluster++) {
        let square = square_of(offset_from(cluster, point));
        nearest = select(nearest, cluster, square < least);
        least = min(least, square);
    }
    return nearest;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let share = workgroup_index(grid);
    if share >= config.n_shares {
        return;
    }
    load_means(local);
    clear_own_sums(local);
    atomicStore(&own_bounds[local], select(0u, 0xffffffffu, local % 4u < 2u));
    workgroupBarrier();
    let n = n_items();
    let stride = config.n_shares * WORKGROUP_SIZE;
    for (var item = share * WORKGROUP_SIZE + local; item < n; item += stride) {
        let packed = centers[item];
        if packed != NO_CENTER {
            let point = point_of(packed);
            let cluster = nearest_to(point);
            let offset = offset_from(cluster, point);
            add_to_cluster(
                cluster,
                added(vec2(0u), offset.x * offset.x),
                added(vec2(0u), offset.x * offset.y),
                added(vec2(0u), offset.y * offset.y),
            );
            let keys = coordinate_keys(boxes[item]);
            atomicMin(&own_bounds[4u * cluster], keys.x);
            atomicMin(&own_bounds[4u * cluster + 1u], keys.y);
            atomicMax(&own_bounds[4u * cluster + 2u], keys.z);
            atomicMax(&own_bounds[4u * cluster + 3u], keys.w);
        }
    }
    workgroupBarrier();
    add_to_sums(local);
    if local < config.n_clusters {
        atomicMin(&cluster_bounds[4u * local], atomicLoad(&own_bounds[4u * local]));
        atomicMin(&cluster_bounds[4u * local + 1u], atomicLoad(&own_bounds[4u * local + 1u]));
        atomicMax(&cluster_bounds[4u * local + 2u], atomicLoad(&own_bounds[4u * local + 2u]));
        atomicMax(&cluster_bounds[4u * local + 3u], atomicLoad(&own_bounds[4u * local + 3u]));
    }
}
