// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: scan_apply
// shader: scan_apply_few: few

// Stage scan, 3 of 3: the sum of the counts before each item, and the total.
//
// If there are at most 256 partitions, `few` is defined. A workgroup then adds up the sums of the
// partitions before its own itself, one per invocation, without a dispatch in between.

#import grid
#import n_items
#import scan_config
#import saturating_sum
#import swizzle

@group(0) @binding(2) var<storage> counted: array<u32>;
@group(0) @binding(3) var<storage> partition_sums: array<u32>;
@group(0) @binding(4) var<storage, read_write> sums: array<u32>;
@group(0) @binding(5) var<storage, read_write> total: array<u32>;

// The counts of the partition, then the sums before them. The loads and stores of neighbours are
// next to each other, while an invocation adds up eight counts in a row.
var<workgroup> pool: array<u32, PARTITION_LENGTH>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    if part >= n_partitions(n) {
        return;
    }
    let first = part * PARTITION_LENGTH;
    // Items after the last one come after the sums that are written, so that their counts do not
    // matter. Loads without conditions are in flight at the same time.
    let last = max(n, 1u) - 1u;
    #repeat round 8
    let at = $round * WORKGROUP_SIZE + local;
    pool[swizzled(at)] = counted[min(first + at, last)];
    #endrepeat
#ifdef few
    var earlier = 0u;
    if local < part {
        earlier = partition_sums[local];
    }
    saturating_sum_before(local, earlier);
    var before = saturating_total();
#else
    var before = partition_sums[part];
#endif
    workgroupBarrier();
    var own = 0u;
    #repeat i 8
    own = saturating_add(own, pool[swizzled(COUNTS_PER_INVOCATION * local + $i)]);
    #endrepeat
    before = saturating_add(before, saturating_sum_before(local, own));
    #repeat i 8
    let at = swizzled(COUNTS_PER_INVOCATION * local + $i);
    let count = pool[at];
    pool[at] = before;
    before = saturating_add(before, count);
    #endrepeat
    workgroupBarrier();
    #repeat round 8
    let at = $round * WORKGROUP_SIZE + local;
    if first + at <= n {
        sums[first + at] = pool[swizzled(at)];
    }
    if first + at == n {
        total[0] = pool[swizzled(at)];
    }
    #endrepeat
}
