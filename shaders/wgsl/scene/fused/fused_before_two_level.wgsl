// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_before_two_level: whole
// shader: fused_before_two_level_clipped

// Stage fused in two levels, the stack before each partition: the begins, and the clip boxes that
// apply at each level, down to the floor of the partition. A workgroup sees all partitions, one per
// invocation. Levien 2022, sections 7.2 and 9.

#import aabb
#import bic
#import box_scan
#import grid
#import quad
#import stack_before
#import suffix_bics

@group(0) @binding(5) var<storage> partition_bics: array<Bic>;

#import slice_search

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let own = scan_partitions(part, local);
    let n_closed = suffix_bic(local + 1u).a;
    var box = PLANE;
    if own.b > n_closed {
        box = slice_boxes[local * PARTITION_LENGTH + own.b - n_closed - 1u];
    }
    // `scanned_boxes[p]` becomes the intersection of all begins in partitions up to p that are open
    // before the workgroup's own partition.
    scan_boxes(local, box);
    workgroupBarrier();
#ifdef whole
    let first_box = summaries[part].first_node;
#else
    let first_box = part * PARTITION_LENGTH;
#endif
    let height = partition_bics[part].a;
    for (var depth = local; depth <= height; depth += WORKGROUP_SIZE) {
        let place = place_before(part, depth);
        var begin = -1;
        var clip_box = PLANE;
        if place.source >= 0 {
            let source = u32(place.source);
            begin = i32(summaries[source].slice[place.slot]);
            clip_box = slice_boxes[source * PARTITION_LENGTH + place.slot];
            if source > 0u {
                clip_box = meet(scanned_boxes[source - 1u], clip_box);
            }
        }
        store_level(part, depth, height, first_box, begin, clip_box);
    }
}
