// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: search_rearranged
// shader: search_rearranged_upper: upper

// Stage search in rearranged keys. Each round descends a level of the search tree, by the number of
// keys of a node before the query.
//
// Four invocations with neighbouring indices share four queries. Each loads a quarter of a node, so
// that together they load a cache line at a time, and their counts are added through workgroup
// memory. If the keys are not in order, each node is still one of its level.

#import grid
#import n_items
#import search_config
#import search_bound

@group(0) @binding(3) var<storage> rearranged: array<vec4<u32>>;
@group(0) @binding(4) var<storage> queries: array<u32>;
@group(0) @binding(5) var<storage, read_write> found: array<u32>;

// The counts of each invocation for its four queries, eight bits each. Rounds use both halves
// alternately, so that a round has one barrier.
var<workgroup> packed_counts: array<u32, 2u * WORKGROUP_SIZE>;

fn n_before(keys: vec4<u32>, query: u32) -> u32 {
    return u32(is_key_before(keys.x, query)) + u32(is_key_before(keys.y, query))
        + u32(is_key_before(keys.z, query)) + u32(is_key_before(keys.w, query));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * WORKGROUP_SIZE;
    let n = n_items();
    if first >= n {
        return;
    }
    let quarter = local % 4u;
    var own_queries: array<u32, 4>;
    // The nodes that the queries have descended to.
    var nodes: array<u32, 4>;
    #repeat i 4
    own_queries[$i] = queries[min(first + $i * (WORKGROUP_SIZE / 4u) + local / 4u, n - 1u)];
    #endrepeat
    for (var level = 0u; level < config.n_levels; level++) {
        let own = config.levels[level];
        var counts = 0u;
        #repeat i 4
        counts |= n_before(rearranged[4u * (own.x + nodes[$i]) + quarter], own_queries[$i]) << (8u * $i);
        #endrepeat
        let half = (level % 2u) * WORKGROUP_SIZE;
        packed_counts[half + local] = counts;
        workgroupBarrier();
        let at = half + local - quarter;
        counts = packed_counts[at] + packed_counts[at + 1u] + packed_counts[at + 2u] + packed_counts[at + 3u];
        let n_children = select(17u, 16u, level + 1u == config.n_levels);
        #repeat i 4
        nodes[$i] = min(n_children * nodes[$i] + ((counts >> (8u * $i)) & 0xffu), own.w);
        #endrepeat
    }
    // Invocation i of the four writes the result of query i.
    let index = first + quarter * (WORKGROUP_SIZE / 4u) + local / 4u;
    if index < n {
        // A missing key can be before the query.
        found[index] = min(vec4(nodes[0], nodes[1], nodes[2], nodes[3])[quarter], n_keys());
    }
}
