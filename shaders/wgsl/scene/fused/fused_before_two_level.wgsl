// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_before_two_level: whole
// shader: fused_before_two_level_clipped

// Stage fused in two levels, the stack before each partition: the begins, and the clip boxes that
// apply at each level, down to the floor of the partition. A workgroup sees all partitions. Levien
// 2022, sections 7.2 and 9.

#import aabb
#import bic
#import box_scan
#import grid
#import quad
#import stack_before
#import suffix_bics
#import two_level

@group(0) @binding(5) var<storage> partition_bics: array<Bic>;

// Item p is the number of begins in partition p and later that are open before the workgroup's own
// partition. n_open[p] - n_open[p + 1] of them are in partition p.
var<workgroup> n_open: array<u32, MAX_PARTITIONS_PER_INVOCATION * WORKGROUP_SIZE>;

// The sum of a partition, or 0 if it is not before `part`.
fn bic_before(part: u32, p: u32) -> Bic {
    if p < part {
        return partition_bics[p];
    }
    return Bic(0u, 0u);
}

// The intersection of the lowest `n_begins` begins of a slice. Ends close the highest begins first,
// so the lowest ones are those that are still open in later partitions.
fn box_of_slice(p: u32, n_begins: u32) -> vec4<f32> {
    if n_begins == 0u {
        return PLANE;
    }
    return slice_boxes[p * PARTITION_LENGTH + n_begins - 1u];
}

// Fills `n_open` and `scanned_boxes`. Item i of the latter is the intersection of all begins that
// are open before `part`, in the partitions of the invocations up to i. Ends with a barrier.
fn scan_partitions(part: u32, local: u32) {
    let n = partitions_per_invocation();
    let first = n * local;
    let end = first + n;
    var sum = Bic(0u, 0u);
    for (var p = first; p < end; p++) {
        sum = bic_then(sum, bic_before(part, p));
    }
    scan_suffixes(local, sum);
    var after = suffix_bic(local + 1u);
    var box = PLANE;
    for (var p = end; p > first; p--) {
        let bic = bic_before(part, p - 1u);
        box = meet(box, box_of_slice(p - 1u, bic.b - min(bic.b, after.a)));
        after = bic_then(bic, after);
        n_open[p - 1u] = after.b;
    }
    scan_boxes(local, box);
    workgroupBarrier();
}

// The partition of the begin `depth` levels below the top of the stack before `part`, or -1. It is
// the last partition p with n_open[p] > depth.
fn partition_of_level(part: u32, depth: u32) -> i32 {
    var low = 0u;
    var high = part;
    while low < high {
        let middle = (low + high) / 2u;
        if n_open[middle] > depth {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return i32(low) - 1;
}

// The intersection of all begins in the partitions before `source` that are open before the
// workgroup's own partition.
fn box_before_source(source: u32) -> vec4<f32> {
    let n = partitions_per_invocation();
    let invocation = source / n;
    var box = PLANE;
    if invocation > 0u {
        box = scanned_boxes[invocation - 1u];
    }
    for (var p = n * invocation; p < source; p++) {
        box = meet(box, box_of_slice(p, n_open[p] - n_open[p + 1u]));
    }
    return box;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    scan_partitions(part, local);
#ifdef whole
    let first_box = summaries[part].first_entry;
#else
    let first_box = part * PARTITION_LENGTH;
#endif
    let height = partition_bics[part].a;
    for (var depth = local; depth <= height; depth += WORKGROUP_SIZE) {
        let source = partition_of_level(part, depth);
        var begin = -1;
        var clip_box = PLANE;
        if source >= 0 {
            // The lowest begins of the source's slice are the first open begins in the source and
            // the partitions after it.
            let slot = n_open[source] - 1u - depth;
            begin = i32(summaries[source].slice[slot]);
            clip_box = meet(
                box_before_source(u32(source)),
                slice_boxes[u32(source) * PARTITION_LENGTH + slot],
            );
        }
        store_level(part, depth, height, first_box, begin, clip_box);
    }
}
