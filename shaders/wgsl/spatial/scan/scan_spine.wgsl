// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan, 2 of 3: replaces the sum of each partition by that of the partitions before it. A
// single workgroup scans 8192 sums at a time, 32 per invocation.

#import grid
#import n_items
#import scan_config
#import saturating_sum

@group(0) @binding(3) var<storage, read_write> partition_sums: array<vec4<u32>>;

const VECTORS_PER_INVOCATION = 8u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n = n_partitions(n_items());
    let n_vectors = (n + 3u) / 4u;
    var earlier = 0u;
    for (var tile = 0u; tile < n_vectors; tile += VECTORS_PER_INVOCATION * WORKGROUP_SIZE) {
        let first = tile + VECTORS_PER_INVOCATION * local;
        let end = min(first + VECTORS_PER_INVOCATION, n_vectors);
        // Sums after the last partition come last, and change only each other.
        var own = 0u;
        for (var i = first; i < end; i++) {
            own = ends_of(own, partition_sums[i]).w;
        }
        var before = saturating_add(earlier, saturating_sum_before(local, own));
        for (var i = first; i < end; i++) {
            let ends = ends_of(before, partition_sums[i]);
            partition_sums[i] = vec4(before, ends.xyz);
            before = ends.w;
        }
        earlier = saturating_add(earlier, saturating_total());
        workgroupBarrier();
    }
}

// The sum up to and including each of four sums.
fn ends_of(before: u32, sums: vec4<u32>) -> vec4<u32> {
    let x = saturating_add(before, sums.x);
    let y = saturating_add(x, sums.y);
    let z = saturating_add(y, sums.z);
    return vec4(x, y, z, saturating_add(z, sums.w));
}
