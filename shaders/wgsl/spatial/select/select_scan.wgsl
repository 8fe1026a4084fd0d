// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage select, 2 of 3: replaces the count of each partition by the number of kept items before it,
// and writes their total as the arguments of an indirect draw with one instance per kept item. A
// single workgroup scans 8192 counts at a time, 32 per invocation.

#import grid
#import n_items
#import select_config

@group(0) @binding(4) var<storage, read_write> partition_counts: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> draw_arguments: array<u32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

const VECTORS_PER_INVOCATION = 8u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n = n_partitions(n_items());
    let n_vectors = (n + 3u) / 4u;
    var n_before = 0u;
    for (var tile = 0u; tile < n_vectors; tile += VECTORS_PER_INVOCATION * WORKGROUP_SIZE) {
        let first = tile + VECTORS_PER_INVOCATION * local;
        // Loads without conditions are in flight at the same time.
        var counts: array<vec4<u32>, VECTORS_PER_INVOCATION>;
        var n_own = 0u;
        #repeat i 8
        counts[$i] = counts_at(first + $i, n);
        #endrepeat
        #repeat i 8
        n_own += counts[$i].x + counts[$i].y + counts[$i].z + counts[$i].w;
        #endrepeat
        var before = n_before + prefix_sum(local, n_own) - n_own;
        #repeat i 8
        let ends = vec3(counts[$i].x, counts[$i].x + counts[$i].y, counts[$i].x + counts[$i].y + counts[$i].z);
        if first + $i < n_vectors {
            partition_counts[first + $i] = before + vec4(0u, ends);
        }
        before += ends.z + counts[$i].w;
        #endrepeat
        n_before += prefix_sums[WORKGROUP_SIZE - 1u];
        workgroupBarrier();
    }
    if local == 0u {
        draw_arguments[0] = config.n_vertices;
        draw_arguments[1] = n_before;
        draw_arguments[2] = 0u;
        draw_arguments[3] = 0u;
    }
}

// Four counts. Those of an earlier, longer input after the last partition do not count.
fn counts_at(i: u32, n: u32) -> vec4<u32> {
    let counts = partition_counts[min(i, (max(n, 1u) - 1u) / 4u)];
    return select(vec4(0u), counts, vec4(4u * i) + vec4(0u, 1u, 2u, 3u) < vec4(n));
}
