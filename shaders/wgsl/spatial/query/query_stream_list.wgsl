// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: query_stream_list_at: at
// shader: query_stream_list_overlapping: overlapping
// shader: query_stream_list_within: within

// Stage query without a tree, the last dispatch for all boxes: a workgroup lists the boxes of a
// share that a query finds, in paint order.

#import grid
#import n_items
#import query_config
#import query_condition
#import query_shares

@group(0) @binding(2) var<storage> queries: array<vec4<f32>>;
// The sums of the numbers of boxes of all shares.
@group(0) @binding(3) var<storage> sums: array<u32>;
@group(0) @binding(4) var<storage, read_write> found: array<u32>;
@group(0) @binding(5) var<storage, read_write> starts: array<u32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid);
    let n = n_items();
    let query = index / config.n_shares;
    // After the last query comes the number of all boxes.
    if local == 0u && query <= n && index % config.n_shares == 0u {
        starts[query] = sums[query * config.n_shares];
    }
    if query >= n {
        return;
    }
    let asked = queries[query];
    let boxes_of_share = share_of(index % config.n_shares);
    var next_place = sums[index];
    for (var first = boxes_of_share.x; first < boxes_of_share.y; first += WORKGROUP_SIZE) {
        let item = first + local;
        let box = boxes[min(item, boxes_of_share.y - 1u)];
        let is_found = item < boxes_of_share.y && may_meet(box, asked) && meets(box, asked);
        let end = prefix_sum(local, u32(is_found));
        // The places beyond the capacity could overflow.
        if next_place < config.output_capacity {
            let place = next_place + end - 1u;
            if is_found && place < config.output_capacity {
                found[place] = item;
            }
            next_place += prefix_sums[WORKGROUP_SIZE - 1u];
        }
        workgroupBarrier();
    }
}
