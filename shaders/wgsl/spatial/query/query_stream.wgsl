// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: query_stream_top_at: top at
// shader: query_stream_top_overlapping: top overlapping
// shader: query_stream_top_within: top within
// shader: query_stream_any_at: any at
// shader: query_stream_any_overlapping: any overlapping
// shader: query_stream_any_within: any within
// shader: query_stream_count_at: count at
// shader: query_stream_count_overlapping: count overlapping
// shader: query_stream_count_within: count within

// Stage query without a tree: a workgroup tests a share of the boxes for one query. The next
// dispatch joins the answers of the shares.

#import grid
#import n_items
#import query_config
#import query_condition
#import query_shares

@group(0) @binding(2) var<storage> queries: array<vec4<f32>>;
// The answer of each share of the first query, then those of the second query, and so on. An answer
// is the index of the last box + 1, or whether there is a box, or the number of boxes.
@group(0) @binding(3) var<storage, read_write> share_answers: array<u32>;

var<workgroup> answer: atomic<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid);
    let query = index / config.n_shares;
    if query >= n_items() {
        // The sums of the numbers of boxes are over all queries that there is room for.
        if local == 0u && query < config.capacity {
            share_answers[index] = 0u;
        }
        return;
    }
    if local == 0u {
        atomicStore(&answer, 0u);
    }
    workgroupBarrier();
    let asked = queries[query];
    let boxes_of_share = share_of(index % config.n_shares);
    var own = 0u;
    let stride = BOXES_PER_ROUND * WORKGROUP_SIZE;
    for (var first = boxes_of_share.x + local; first < boxes_of_share.y; first += stride) {
        // Loads without conditions are in flight at the same time.
        var loaded: array<vec4<f32>, BOXES_PER_ROUND>;
        #repeat i 8
        loaded[$i] = boxes[min(first + $i * WORKGROUP_SIZE, boxes_of_share.y - 1u)];
        #endrepeat
        #repeat i 8
        let item = first + $i * WORKGROUP_SIZE;
        if item < boxes_of_share.y && may_meet(loaded[$i], asked) && meets(loaded[$i], asked) {
#ifdef top
            own = item + 1u;
#endif
#ifdef any
            own = 1u;
#endif
#ifdef count
            own += 1u;
#endif
        }
        #endrepeat
    }
    if own > 0u {
#ifdef count
        atomicAdd(&answer, own);
#else
        atomicMax(&answer, own);
#endif
    }
    workgroupBarrier();
    if local == 0u {
        share_answers[index] = atomicLoad(&answer);
    }
}
