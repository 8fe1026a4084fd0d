// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage clip, 3 of 3: the clipped box of every leaf, and the union of each run of leaves between
// two entries of the node stream. The paper does not describe this step.
//
// A run may be as long as the scene. Each workgroup joins the leaves of its part of the run by a
// segmented scan, and the parts meet in atomics. The result is exact and independent of the order,
// because minimum and maximum do not round.

#import aabb
#import config
#import grid
#import entry

@group(0) @binding(1) var<storage> draw_tags: array<u32>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> ranks: array<u32>;
@group(0) @binding(4) var<storage> clip_boxes: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
// Four words per entry of the node stream: the box of the leaves between this entry and the next.
@group(0) @binding(6) var<storage, read_write> run_boxes: array<atomic<i32>>;

var<workgroup> joined_boxes: array<vec4<f32>, WORKGROUP_SIZE>;
var<workgroup> joined_ranks: array<u32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= partitions_of(config.n_elements) {
        return;
    }
    let element = part * WORKGROUP_SIZE + local;
    var rank = 0u;
    var box = EMPTY;
    if element < config.n_elements {
        rank = ranks[element];
        let tag = draw_tags[element];
        if tag != TAG_NOP && tag != TAG_BEGIN && tag != TAG_END {
            box = element_boxes[element];
            if rank > 0u {
                box = meet(clip_boxes[rank - 1u], box);
            }
            box = canonical(box);
        }
        clipped_boxes[element] = box;
    }
    // Ranks never decrease, so two elements of equal rank have only elements of that rank between
    // them.
    joined_boxes[local] = box;
    joined_ranks[local] = rank;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var before = EMPTY;
        if local >= stride {
            if joined_ranks[local - stride] == rank {
                before = joined_boxes[local - stride];
            }
        }
        workgroupBarrier();
        box = join(before, box);
        joined_boxes[local] = box;
    }
    // The last element of the run in this workgroup has the union of the run so far.
    if rank == 0u || box.x >= box.z {
        return;
    }
    if local + 1u < WORKGROUP_SIZE {
        if joined_ranks[local + 1u] == rank {
            return;
        }
    }
    let key = ordered_from_f32(box);
    let run = 4u * (rank - 1u);
    atomicMin(&run_boxes[run], key.x);
    atomicMin(&run_boxes[run + 1u], key.y);
    atomicMax(&run_boxes[run + 2u], key.z);
    atomicMax(&run_boxes[run + 3u], key.w);
}
