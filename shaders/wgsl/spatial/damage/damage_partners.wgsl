// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage damage, 1 of 5 if elements have partners: which elements of the old frame have one, and the
// last of them for each 256 elements of the new frame.

#import grid
#import n_items
#import tiles

@group(0) @binding(2) var<storage> old_counts: array<u32>;
@group(0) @binding(3) var<storage> partners: array<u32>;
// The index of each partner plus 1, or 0 without one, and the largest of each workgroup.
@group(0) @binding(4) var<storage, read_write> partner_ordinals: array<u32>;
@group(0) @binding(5) var<storage, read_write> last_ordinals: array<u32>;
// All 0 at first.
@group(0) @binding(6) var<storage, read_write> has_partner: array<atomic<u32>>;

var<workgroup> last_ordinal: atomic<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    if part * WORKGROUP_SIZE >= n {
        return;
    }
    if local == 0u {
        atomicStore(&last_ordinal, 0u);
    }
    workgroupBarrier();
    let element = part * WORKGROUP_SIZE + local;
    if element < n {
        let n_old = min(old_counts[config.old_count_word], config.old_capacity);
        let partner = partners[element];
        partner_ordinals[element] = select(0u, partner + 1u, partner < n_old);
        if partner < n_old {
            atomicOr(&has_partner[partner / 32u], 1u << (partner % 32u));
            atomicMax(&last_ordinal, partner + 1u);
        }
    }
    workgroupBarrier();
    if local == 0u {
        last_ordinals[part] = atomicLoad(&last_ordinal);
    }
}
