// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: radix_downsweep
// shader: radix_downsweep_indices: indices

// Radix sort, 3 of 3 in each pass: moves the items of a chunk to their places, tile by tile.
//
// A tile is sorted by its digit in workgroup memory first, so that neighbours write to neighbouring
// places. This takes two stable counting sorts, by the lower and by the upper four bits of the
// digit. Each invocation has eight consecutive items and its own counters, so that neither atomics
// nor subgroups are needed, and the order of equal digits is kept.
//
// | phase        | `pool` |
// |--------------|--------|
// | counting     | counters: word b of invocation i has its counts of digit b in the lower half, and of b + 8 in the upper one |
// | exchange     | the keys, then the values, in the new order |
// | places       | the keys in order |

#import grid
#import n_items
#import sort_config
#import radix_tile
#import swizzle

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage> digit_counts: array<u32>;
@group(0) @binding(4) var<storage> digit_totals: array<u32>;
@group(0) @binding(5) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(6) var<storage, read_write> sorted_values: array<u32>;
#ifndef indices
@group(0) @binding(7) var<storage> values: array<u32>;
#endif

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

// Sorts last, whatever the shift is.
const NO_KEY = 0xffffffffu;

var<workgroup> pool: array<u32, TILE_LENGTH>;
// The place of the next item with each digit, and the first item of the tile with it.
var<workgroup> next_places: array<u32, N_DIGITS>;
var<workgroup> starts: array<u32, N_DIGITS>;

var<private> own_keys: array<u32, ITEMS_PER_INVOCATION>;
var<private> own_values: array<u32, ITEMS_PER_INVOCATION>;
var<private> ranks: array<u32, ITEMS_PER_INVOCATION>;

// The places of the invocation's items in the order by four bits of their digit.
fn rank_by(local: u32, nibble_shift: u32) {
    // A counter has four bits: an invocation has at most eight items.
    var low_counts = 0u;
    var high_counts = 0u;
    #repeat i 8
    let nibble = (digit_of(own_keys[$i]) >> nibble_shift) & 15u;
    let shift = 4u * (nibble & 7u);
    let is_high = nibble > 7u;
    ranks[$i] = (select(low_counts, high_counts, is_high) >> shift) & 15u;
    low_counts += select(1u << shift, 0u, is_high);
    high_counts += select(0u, 1u << shift, is_high);
    #endrepeat
    #repeat b 8
    let low = (low_counts >> (4u * $b)) & 15u;
    let high = (high_counts >> (4u * $b)) & 15u;
    pool[swizzled(local) ^ swizzled($b * WORKGROUP_SIZE)] = low | (high << 16u);
    #endrepeat
    workgroupBarrier();
    var own = 0u;
    #repeat i 8
    own += pool[swizzled(8u * local) ^ $i];
    #endrepeat
    let end = prefix_sum(local, own);
    // The digits of the upper halves follow all those of the lower ones.
    var before = end - own + (prefix_sums[WORKGROUP_SIZE - 1u] << 16u);
    #repeat i 8
    let at = swizzled(8u * local) ^ $i;
    let count = pool[at];
    pool[at] = before;
    before += count;
    #endrepeat
    workgroupBarrier();
    #repeat i 8
    let nibble = (digit_of(own_keys[$i]) >> nibble_shift) & 15u;
    let word = pool[swizzled(local) ^ swizzled((nibble & 7u) * WORKGROUP_SIZE)];
    ranks[$i] += (word >> (16u * (nibble >> 3u))) & 0xffffu;
    #endrepeat
    workgroupBarrier();
}

// Moves the values to their ranks, then the keys, which stay in the pool. Afterwards invocation i
// has the items at `first`, `first + step`, and so on.
fn exchange(first: u32, step: u32) {
    #repeat i 8
    pool[swizzled(ranks[$i])] = own_values[$i];
    #endrepeat
    workgroupBarrier();
    #repeat i 8
    own_values[$i] = pool[swizzled(first) ^ swizzled($i * step)];
    #endrepeat
    workgroupBarrier();
    #repeat i 8
    pool[swizzled(ranks[$i])] = own_keys[$i];
    #endrepeat
    workgroupBarrier();
    #repeat i 8
    own_keys[$i] = pool[swizzled(first) ^ swizzled($i * step)];
    #endrepeat
}

fn digit_at(place: u32) -> u32 {
    return digit_of(pool[swizzled(place)]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let chunk = workgroup_index(grid);
    let items = chunk_of(chunk, n_items());
    if chunk >= config.n_chunks || items.x >= items.y {
        return;
    }
    let total = digit_totals[local];
    next_places[local] = prefix_sum(local, total) - total + digit_counts[local * config.n_chunks + chunk];
    for (var tile = items.x; tile < items.y; tile += TILE_LENGTH) {
        let n = min(items.y - tile, TILE_LENGTH);
        #repeat i 8
        // Loads without conditions are in flight at the same time.
        let item = tile + ITEMS_PER_INVOCATION * local + $i;
        let existing = min(item, items.y - 1u);
        own_keys[$i] = select(NO_KEY, keys[existing], item < items.y);
#ifdef indices
        own_values[$i] = item;
#else
        own_values[$i] = values[existing];
#endif
        #endrepeat
        rank_by(local, 0u);
        exchange(ITEMS_PER_INVOCATION * local, 1u);
        workgroupBarrier();
        rank_by(local, 4u);
        exchange(local, WORKGROUP_SIZE);
        #repeat i 8
        let place = $i * WORKGROUP_SIZE + local;
        let digit = digit_of(own_keys[$i]);
        if place == 0u || digit != digit_at(place - 1u) {
            starts[digit] = place;
        }
        #endrepeat
        workgroupBarrier();
        #repeat i 8
        let place = $i * WORKGROUP_SIZE + local;
        let digit = digit_of(own_keys[$i]);
        let target_place = next_places[digit] + place - starts[digit];
        if place < n && target_place < config.capacity {
            sorted_keys[target_place] = own_keys[$i];
            sorted_values[target_place] = own_values[$i];
        }
        #endrepeat
        // Nothing needs the places after the last tile.
        if tile + TILE_LENGTH >= items.y {
            break;
        }
        workgroupBarrier();
        #repeat i 8
        let place = $i * WORKGROUP_SIZE + local;
        let digit = digit_of(own_keys[$i]);
        if place < n && (place + 1u == n || digit != digit_at(place + 1u)) {
            next_places[digit] += place + 1u - starts[digit];
        }
        #endrepeat
        workgroupBarrier();
    }
}
