// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage reorder, 4, after a scan of the lengths: the queries of each run.

#import grid
#import n_items
#import reorder_config
#import owners

@group(0) @binding(2) var<storage> sums: array<u32>;
@group(0) @binding(3) var<storage> starts: array<u32>;
@group(0) @binding(4) var<storage> run_order: array<u32>;
@group(0) @binding(5) var<storage> queries: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> permutation: array<u32>;
@group(0) @binding(7) var<storage, read_write> reordered: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * OUTPUTS_PER_PARTITION;
    let n_runs = n_items();
    let n_queries = sums[n_runs];
    if first >= n_queries {
        return;
    }
    prepare_owners(local, first, n_runs);
    // Loads before the first store are in flight at the same time.
    var items: array<u32, 8>;
    var loaded: array<vec4<f32>, 8>;
    #repeat round 8
    let output = min(first + $round * WORKGROUP_SIZE + local, n_queries - 1u);
    let place = owner_of(output);
    items[$round] = starts[run_order[place]] + output - sums[place];
    loaded[$round] = queries[items[$round]];
    #endrepeat
    #repeat round 8
    let output = first + $round * WORKGROUP_SIZE + local;
    if output < n_queries {
        permutation[output] = items[$round];
        reordered[output] = loaded[$round];
    }
    #endrepeat
}
