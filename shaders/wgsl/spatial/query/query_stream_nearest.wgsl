// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage query without a tree: a workgroup finds the nearest box of a share of the boxes for one
// query. The next dispatch joins the answers of the shares.

#import grid
#import n_items
#import query_config
#import query_shares
#import aabb
#import distance

@group(0) @binding(2) var<storage> queries: array<vec4<f32>>;
// The index of the nearest box + 1, or 0, and the bits of its squared distance.
@group(0) @binding(3) var<storage, read_write> share_nearest: array<vec2<u32>>;

// Squared distances are not negative, so that their bits sort like their values.
var<workgroup> least: atomic<u32>;
var<workgroup> answer: atomic<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid);
    let query = index / config.n_shares;
    if query >= n_items() {
        return;
    }
    let asked = queries[query];
    var nearest = bitcast<u32>(squared_limit(asked.z));
    if local == 0u {
        atomicStore(&least, nearest);
        atomicStore(&answer, 0u);
    }
    workgroupBarrier();
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
        let squared = bitcast<u32>(squared_distance(loaded[$i], asked.xy));
        if item < boxes_of_share.y && squared <= nearest && !is_empty(loaded[$i]) {
            nearest = squared;
            own = item + 1u;
        }
        #endrepeat
    }
    if own > 0u {
        atomicMin(&least, nearest);
    }
    workgroupBarrier();
    if own > 0u && nearest == atomicLoad(&least) {
        atomicMax(&answer, own);
    }
    workgroupBarrier();
    if local == 0u {
        share_nearest[index] = vec2(atomicLoad(&answer), atomicLoad(&least));
    }
}
