// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: select_mask_overlapping: boxes overlapping
// shader: select_mask_not_empty: boxes
// shader: select_mask_in_range: values

// Stage select, 1 of 3: one bit per item, 1 if it is kept, and the number of kept items in each
// partition.
//
// Invocation i tests the items i, i + 256, and so on, so that neighbours read neighbours. The bits
// are then transposed: each invocation collects those of eight consecutive items.

#import grid
#import n_items
#import select_config

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

fn is_kept(item: u32) -> bool {
#ifdef overlapping
    let a = boxes[item];
    return all(max(a.xy, config.region.xy) < min(a.zw, config.region.zw));
#else
#ifdef boxes
    let a = boxes[item];
    return all(a.xy < a.zw);
#else
    return values[item] >= config.low && values[item] <= config.high;
#endif
#endif
}

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
    var own = 0u;
    #repeat round 8
    let item = part * PARTITION_LENGTH + $round * WORKGROUP_SIZE + local;
    if item < n {
        own |= u32(is_kept(item)) << $round;
    }
    #endrepeat
    tested[local] = own;
    workgroupBarrier();
    // Bit r of invocation i is item 256 r + i. The eight items of this octet are of one round.
    let round = local / 32u;
    let first = 8u * (local % 32u);
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
