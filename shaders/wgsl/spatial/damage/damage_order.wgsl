// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage damage, 2 of 5 if elements have partners: the elements of the new frame without a partner,
// or after an element with a later partner.

#import grid
#import element_bits
#import n_items
#import tiles

// The index of each partner plus 1, or 0 without one, and the largest of each workgroup.
@group(0) @binding(2) var<storage> partner_ordinals: array<u32>;
@group(0) @binding(3) var<storage> last_ordinals: array<u32>;
@group(0) @binding(4) var<storage, read_write> changed: array<u32>;

// Two copies, used alternately.
var<workgroup> latest: array<u32, 2u * WORKGROUP_SIZE>;
var<workgroup> latest_before: atomic<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    if part * WORKGROUP_SIZE >= n {
        return;
    }
    if local == 0u {
        atomicStore(&latest_before, 0u);
    }
    clear_element_bits(local);
    let element = part * WORKGROUP_SIZE + local;
    var own = 0u;
    if element < n {
        own = partner_ordinals[element];
    }
    var before = 0u;
    for (var i = local; i < part; i += WORKGROUP_SIZE) {
        before = max(before, last_ordinals[i]);
    }
    atomicMax(&latest_before, before);
    // The maximum up to each invocation.
    var up_to = own;
    #repeat lg_length 8
    let half = ($lg_length & 1u) * WORKGROUP_SIZE;
    let length = 1u << $lg_length;
    latest[half + local] = up_to;
    workgroupBarrier();
    // An invocation without a neighbour at this distance reads invocation 0, whose value is already
    // in its maximum.
    up_to = max(up_to, latest[half + max(local, length) - length]);
    #endrepeat
    if element < n && (own == 0u || own < max(up_to, atomicLoad(&latest_before))) {
        set_element_bit(local);
    }
    workgroupBarrier();
    let word = part * WORDS_PER_WORKGROUP + local;
    if local < WORDS_PER_WORKGROUP && 32u * word < n {
        changed[word] = element_bits_of(local);
    }
}
