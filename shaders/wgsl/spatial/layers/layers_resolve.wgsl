// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: layers_resolve
// shader: layers_resolve_keys: keys

// Stage layers, 2 of 2 for each block: the layers of a block of 2048 items, in one workgroup.
//
// The groups of the block are resolved one after the other. An item takes the largest layer of the
// earlier groups first. Within its group, it takes the layers of the items that it overlaps one by
// one, as soon as they have theirs, and then its own. A round settles at least one item, and all of
// them after as many rounds as the longest chain of overlapping items in the group has.

#import grid
#import n_items
#import layers_config

#ifdef keys
@group(0) @binding(2) var<storage> keys: array<u32>;
// The layer of each item above its key.
@group(0) @binding(6) var<storage, read_write> draw_keys: array<u32>;
#endif
@group(0) @binding(3) var<storage, read_write> layers: array<u32>;
@group(0) @binding(4) var<storage> overlaps: array<vec4<u32>>;
// Is 0 for each item of the block afterwards, as it was before the stage.
@group(0) @binding(5) var<storage, read_write> largest: array<u32>;

// 0 for an item that has none yet. Invocations read the layer of another one in the same round or
// in a later one. The result does not depend on which.
var<workgroup> block_layers: array<atomic<u32>, BLOCK_LENGTH>;
var<workgroup> n_settled: atomic<u32>;
var<workgroup> n_settled_groups: u32;

// A round looks several times, so that short chains need few barriers.
const LOOKS_PER_ROUND = 4u;

// The largest of `most` and the layers of those of 32 items whose bits are 1.
fn largest_of(bits: u32, first: u32, most: u32) -> u32 {
    var result = most;
    for (var rest = bits; rest != 0u; rest &= rest - 1u) {
        result = max(result, atomicLoad(&block_layers[first + countTrailingZeros(rest)]));
    }
    return result;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n = n_items();
    let n_in_block = min(max(n, config.first) - config.first, BLOCK_LENGTH);
    if local == 0u {
        atomicStore(&n_settled, 0u);
        n_settled_groups = 0u;
    }
    #repeat group 8
    atomicStore(&block_layers[$group * WORKGROUP_SIZE + local], 0u);
    #endrepeat
    workgroupBarrier();
    for (var group = 0u; group * WORKGROUP_SIZE < n_in_block; group++) {
        let place = group * WORKGROUP_SIZE + local;
        let is_item = place < n_in_block;
        var most = 0u;
        // The bits of the items of the same group that this one has not taken the layer of.
        var pending: array<u32, 8>;
        if is_item {
            most = largest[place];
            largest[place] = 0u;
            // Loads before the first use are in flight at the same time.
            var before: array<vec4<u32>, SPANS_PER_GROUP * (GROUPS_PER_BLOCK - 1u)>;
            #repeat span 14
            if $span < SPANS_PER_GROUP * group {
                before[$span] = overlaps[$span * BLOCK_LENGTH + place];
            }
            #endrepeat
            let own = SPANS_PER_GROUP * group * BLOCK_LENGTH + place;
            let low = overlaps[own];
            let high = overlaps[own + BLOCK_LENGTH];
            #repeat word 4
            pending[$word] = low[$word];
            pending[4u + $word] = high[$word];
            #endrepeat
            #repeat span 14
            if $span < SPANS_PER_GROUP * group {
                #repeat word 4
                most = largest_of(before[$span][$word], SPAN_LENGTH * $span + 32u * $word, most);
                #endrepeat
            }
            #endrepeat
        }
        let n_after_group = min(n_in_block, (group + 1u) * WORKGROUP_SIZE);
        var is_settled = !is_item;
        for (var round = 0u; round < WORKGROUP_SIZE; round++) {
            for (var look = 0u; look < LOOKS_PER_ROUND; look++) {
                // Takes layers in the order of their items, up to the first that is missing. An
                // item that has its own layer takes none.
                var is_stopped = is_settled;
                #repeat word 8
                while pending[$word] != 0u && !is_stopped {
                    let first = group * WORKGROUP_SIZE + 32u * $word;
                    let layer = atomicLoad(&block_layers[first + countTrailingZeros(pending[$word])]);
                    is_stopped = layer == 0u;
                    if !is_stopped {
                        most = max(most, layer);
                        pending[$word] &= pending[$word] - 1u;
                    }
                }
                #endrepeat
                if !is_stopped {
                    is_settled = true;
                    atomicStore(&block_layers[place], most + 1u);
                    if atomicAdd(&n_settled, 1u) + 1u == n_after_group {
                        n_settled_groups = group + 1u;
                    }
                }
            }
            if workgroupUniformLoad(&n_settled_groups) > group {
                break;
            }
        }
        if is_item {
            layers[config.first + place] = most + 1u;
#ifdef keys
            let key = keys[config.first + place] & ((1u << config.key_bits) - 1u);
            draw_keys[config.first + place] = (most << config.key_bits) | key;
#endif
        }
    }
}
