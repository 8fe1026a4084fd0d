// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: select_mask_overlapping: boxes overlapping
// shader: select_mask_not_empty: boxes
// shader: select_mask_in_range: values in_range
// shader: select_mask_run_starts: values

// Stage select, 1 of 3: one bit per item, 1 if it is kept, and the number of kept items in each
// partition.
//
// Invocation i tests the items i, i + 256, and so on, so that neighbours read neighbours. The bits
// are then transposed: each invocation collects those of eight consecutive items.

#import grid
#import n_items
#import select_config
#ifdef boxes
#import aabb
#endif

#ifdef boxes
@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
#else
@group(0) @binding(2) var<storage> values: array<u32>;
#endif
@group(0) @binding(3) var<storage, read_write> mask: array<u32>;
@group(0) @binding(4) var<storage, read_write> partition_counts: array<u32>;

var<workgroup> tested: array<u32, WORKGROUP_SIZE>;
var<workgroup> octets: array<u32, WORKGROUP_SIZE>;
var<workgroup> n_kept: atomic<u32>;

#ifdef boxes
fn is_kept(a: vec4<f32>) -> bool {
#ifdef overlapping
    return all(max(a.xy, config.region.xy) < min(a.zw, config.region.zw));
#else
    return !is_empty(a);
#endif
}
#else
// Whether a value is kept, given the one before it.
fn is_kept(value: u32, before: u32) -> bool {
#ifdef in_range
    return value >= config.low && value <= config.high;
#else
    return value != before;
#endif
}
#endif

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    if part >= n_partitions(n) {
        return;
    }
    if local == 0u {
        atomicStore(&n_kept, 0u);
    }
    // Loads without conditions are in flight at the same time.
    let first_item = part * PARTITION_LENGTH + local;
#ifdef boxes
    var items: array<vec4<f32>, ROUNDS>;
    #repeat round 8
    items[$round] = boxes[min(first_item + $round * WORKGROUP_SIZE, n - 1u)];
    #endrepeat
#else
    var items: array<u32, ROUNDS>;
    #repeat round 8
    items[$round] = values[min(first_item + $round * WORKGROUP_SIZE, n - 1u)];
    #endrepeat
    var items_before: array<u32, ROUNDS>;
#ifndef in_range
    #repeat round 8
    items_before[$round] = values[clamp(first_item + $round * WORKGROUP_SIZE, 1u, n) - 1u];
    #endrepeat
    // The first value starts a run.
    if first_item == 0u {
        items_before[0u] = ~items[0u];
    }
#endif
#endif
    var own = 0u;
    #repeat round 8
    let is_within = first_item + $round * WORKGROUP_SIZE < n;
#ifdef boxes
    own |= u32(is_within && is_kept(items[$round])) << $round;
#else
    own |= u32(is_within && is_kept(items[$round], items_before[$round])) << $round;
#endif
    #endrepeat
    tested[local] = own;
    workgroupBarrier();
    // Bit r of invocation i is item 256 r + i. The eight items of this octet are of one round.
    let round = local / 32u;
    let first = ROUNDS * (local % 32u);
    var octet = 0u;
    #repeat i 8
    octet |= ((tested[first + $i] >> round) & 1u) << $i;
    #endrepeat
    octets[local] = octet;
    workgroupBarrier();
    let word = part * WORDS_PER_PARTITION + local;
    if local < WORDS_PER_PARTITION && 32u * word < n {
        let at = 4u * local;
        let bits = octets[at] | (octets[at + 1u] << 8u) | (octets[at + 2u] << 16u) | (octets[at + 3u] << 24u);
        mask[word] = bits;
        atomicAdd(&n_kept, countOneBits(bits));
    }
    workgroupBarrier();
    if local == 0u {
        partition_counts[part] = atomicLoad(&n_kept);
    }
}
