// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: Effect, NO_EFFECT, effect_then, group_effects
// provides: effect_before

// The second of two dispatches of a scan over the partitions of a text: what is before each
// partition. The importing file declares what `group_effect` requires, except for `effect_of`.

#import grid
#import text_groups

alias Scanned = Effect;

fn scan_join(x: Effect, y: Effect) -> Effect {
    return effect_then(x, y);
}

#import ordered_scan

// The effect of all partitions before the four of an invocation, which have the joint effect `own`.
fn effect_before(local: u32, group: u32, own: Effect) -> Effect {
    var earlier = NO_EFFECT;
    #repeat i 4
    if N_OWN * local + $i < group {
        earlier = effect_then(earlier, group_effects[N_OWN * local + $i]);
    }
    #endrepeat
    ordered_scan(local, earlier);
    let before_group = scanned_through(WORKGROUP_SIZE - 1u);
    workgroupBarrier();
    ordered_scan(local, own);
    if local == 0u {
        return before_group;
    }
    return effect_then(before_group, scanned_through(local - 1u));
}
