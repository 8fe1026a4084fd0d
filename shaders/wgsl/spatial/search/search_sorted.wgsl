// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: search_sorted
// shader: search_sorted_upper: upper

// Stage search, by bisection, for many queries: eight per invocation.
//
// A GPU keeps the translations of few addresses. While neighbouring invocations load keys that are
// far from each other, most loads wait for a translation. So a workgroup first sorts its queries by
// parts of the keys. Its invocations then search neighbouring keys, from the first parts to the
// last, and all workgroups pass the parts at about the same time.
//
// A part is what eight steps of the bisection lead to. Their pivots are in workgroup memory, as a
// tree: the root is node 1, and the children of a node are 2 node and 2 node + 1.

#import grid
#import n_items
#import search_config
#import search_bound
#import bisection

@group(0) @binding(3) var<storage> keys: array<u32>;
@group(0) @binding(4) var<storage> queries: array<u32>;
@group(0) @binding(5) var<storage, read_write> found: array<u32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

const LG_PARTS = LG_WORKGROUP_SIZE;
const N_PARTS = WORKGROUP_SIZE;
const QUERIES_PER_INVOCATION = 8u;
const QUERIES_PER_WORKGROUP = QUERIES_PER_INVOCATION * WORKGROUP_SIZE;

// The pivot of each inner node.
var<workgroup> pivots: array<u32, N_PARTS>;
// The number of queries in each part.
var<workgroup> n_in_part: array<atomic<u32>, N_PARTS>;
// The queries by part, then their indices in the workgroup.
var<workgroup> pool: array<u32, QUERIES_PER_WORKGROUP>;

// A node of the bisection of n keys. The bound of a query that leads to it is one of `first` to
// `first + length`.
struct Part {
    node: u32,
    first: u32,
    length: u32,
}

fn child_of(part: Part, is_second: bool) -> Part {
    let half = part.length / 2u;
    return Part(
        2u * part.node + u32(is_second),
        part.first + select(0u, half, is_second),
        part.length - half,
    );
}

// The pivot of a node with more than one key. The bits of its number are the way to it.
fn load_pivot(node: u32, n: u32) {
    var part = Part(1u, 0u, n);
    for (var bit = firstLeadingBit(max(node, 1u)); bit > 0u; bit--) {
        part = child_of(part, ((node >> (bit - 1u)) & 1u) == 1u);
    }
    if node > 0u && part.length > 1u {
        pivots[node] = keys[part.first + part.length / 2u - 1u];
    }
}

// The part of a query. With few keys, it is a single key.
fn part_of(query: u32, n: u32) -> Part {
    var part = Part(1u, 0u, n);
    for (var level = 0u; level < LG_PARTS && part.length > 1u; level++) {
        part = child_of(part, is_key_before(pivots[part.node], query));
    }
    return part;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * QUERIES_PER_WORKGROUP;
    let n_queries = n_items();
    if first >= n_queries {
        return;
    }
    let n = n_keys();
    atomicStore(&n_in_part[local], 0u);
    load_pivot(local, n);
    // Loads without conditions are in flight at the same time. The last query can be loaded twice.
    var own_queries: array<u32, QUERIES_PER_INVOCATION>;
    #repeat i 8
    own_queries[$i] = queries[min(first + $i * WORKGROUP_SIZE + local, n_queries - 1u)];
    #endrepeat
    workgroupBarrier();
    // The order of the queries of a part is arbitrary. It does not change the results.
    var parts: array<u32, QUERIES_PER_INVOCATION>;
    var places: array<u32, QUERIES_PER_INVOCATION>;
    #repeat i 8
    parts[$i] = part_of(own_queries[$i], n).node % N_PARTS;
    places[$i] = atomicAdd(&n_in_part[parts[$i]], 1u);
    #endrepeat
    workgroupBarrier();
    prefix_sum(local, atomicLoad(&n_in_part[local]));
    #repeat i 8
    places[$i] = prefix_sums[parts[$i]] - 1u - places[$i];
    pool[places[$i]] = own_queries[$i];
    #endrepeat
    workgroupBarrier();
    #repeat i 8
    own_queries[$i] = pool[$i * WORKGROUP_SIZE + local];
    #endrepeat
    workgroupBarrier();
    #repeat i 8
    pool[places[$i]] = $i * WORKGROUP_SIZE + local;
    #endrepeat
    workgroupBarrier();
    #repeat i 8
    let index = first + pool[$i * WORKGROUP_SIZE + local];
    if index < n_queries {
        let part = part_of(own_queries[$i], n);
        found[index] = bound_within(own_queries[$i], part.first, part.length);
    }
    #endrepeat
}
