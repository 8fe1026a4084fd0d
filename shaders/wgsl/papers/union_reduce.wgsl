// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage union, 1 of 2: for each entry of the node stream, the union of the leaves from it to the
// end of its partition of 256 entries. Levien 2022, section 9, first dispatch for unions: a reverse
// scan.
//
// For a begin that the partition leaves open, this is the union of the leaves of its node that lie
// in the partition. The first entry has the union of the whole partition.

#import aabb
#import config
#import grid

@group(0) @binding(1) var<storage> run_boxes: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read_write> suffix_boxes: array<vec4<f32>>;

var<workgroup> scanned_boxes: array<vec4<f32>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let index = part * WORKGROUP_SIZE + local;
    var box = EMPTY;
    if index < config.n_entries {
        box = f32_from_ordered(run_boxes[index]);
    }
    scanned_boxes[local] = box;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var after = EMPTY;
        if local + stride < WORKGROUP_SIZE {
            after = scanned_boxes[local + stride];
        }
        workgroupBarrier();
        box = join(box, after);
        scanned_boxes[local] = box;
    }
    if index < config.n_entries {
        suffix_boxes[index] = box;
    }
}
