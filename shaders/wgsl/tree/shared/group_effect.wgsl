// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: Effect, NO_EFFECT, effect_of, effect_then, group_effects, n_text_partitions
// provides: write_group_effect

// The first of two dispatches of a scan over the partitions of a text: the joint effect of each
// group of them. The importing file declares the type `Effect`, the associative function
// `effect_then(x, y)`, the effect of x and then y, `NO_EFFECT`, its identity, `effect_of(part)`,
// the effect of a partition, and `group_effects`, the buffer for the results.

#import text_groups

alias HeapItem = Effect;

fn join_items(left: Effect, right: Effect) -> Effect {
    return effect_then(left, right);
}

#import heap

fn write_group_effect(local: u32, group: u32) {
    let first = group * GROUP_PARTITIONS + N_OWN * local;
    var own = NO_EFFECT;
    #repeat i 4
    if first + $i < n_text_partitions() {
        own = effect_then(own, effect_of(first + $i));
    }
    #endrepeat
    build_heap(local, own);
    if local == 0u {
        group_effects[group] = heap[1];
    }
}
