// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: query_join_top: top
// shader: query_join_any: any
// shader: query_join_nearest: nearest

// Stage query without a tree, 2 of 2: joins the answers of the shares of each query. A workgroup
// has 32 queries, eight invocations each.

#import grid
#import n_items
#import query_config

#ifdef nearest
@group(0) @binding(2) var<storage> share_nearest: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> found: array<vec2<u32>>;
#else
@group(0) @binding(2) var<storage> share_answers: array<u32>;
@group(0) @binding(3) var<storage, read_write> found: array<u32>;
#endif

const QUERIES = 32u;
const INVOCATIONS_PER_QUERY = WORKGROUP_SIZE / QUERIES;

var<workgroup> answers: array<atomic<u32>, QUERIES>;
#ifdef nearest
var<workgroup> least: array<atomic<u32>, QUERIES>;
#endif
#ifdef any
var<workgroup> bits: atomic<u32>;
#endif

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let n = n_items();
    let first_query = workgroup_index(grid) * QUERIES;
    if first_query >= n {
        return;
    }
    let own_query = local / INVOCATIONS_PER_QUERY;
    if local < QUERIES {
        atomicStore(&answers[local], 0u);
#ifdef nearest
        atomicStore(&least[local], 0xffffffffu);
#endif
    }
#ifdef any
    if local == 0u {
        atomicStore(&bits, 0u);
    }
#endif
    workgroupBarrier();
    let first_share = min(first_query + own_query, n - 1u) * config.n_shares;
    var own = 0u;
#ifdef nearest
    var own_least = 0xffffffffu;
#endif
    for (var share = local % INVOCATIONS_PER_QUERY; share < config.n_shares; share += INVOCATIONS_PER_QUERY) {
#ifdef nearest
        // Later shares have later boxes.
        let answer = share_nearest[first_share + share];
        if answer.x > 0u && answer.y <= own_least {
            own = answer.x;
            own_least = answer.y;
        }
#else
        own = max(own, share_answers[first_share + share]);
#endif
    }
#ifdef nearest
    if own > 0u {
        atomicMin(&least[own_query], own_least);
    }
    workgroupBarrier();
    if own > 0u && own_least == atomicLoad(&least[own_query]) {
        atomicMax(&answers[own_query], own);
    }
#else
    atomicMax(&answers[own_query], own);
#endif
    workgroupBarrier();
    let query = first_query + local;
#ifdef any
    if local < QUERIES && query < n {
        atomicOr(&bits, atomicLoad(&answers[local]) << local);
    }
    workgroupBarrier();
    if local == 0u {
        found[first_query / QUERIES] = atomicLoad(&bits);
    }
#else
    if local < QUERIES && query < n {
        // 0 becomes 0xffffffff.
        let item = atomicLoad(&answers[local]) - 1u;
#ifdef nearest
        found[query] = vec2(item, select(atomicLoad(&least[local]), 0u, item == 0xffffffffu));
#else
        found[query] = item;
#endif
    }
#endif
}
