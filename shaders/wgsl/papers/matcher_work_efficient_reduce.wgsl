// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher work_efficient, 1 of 2: the stack slice and the bicyclic sum of each partition, 2, 4 or 8 entries an invocation.
// Levien 2022, section 8.1.

#import bic
#import config
#import sequence

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;

#import suffix_bics

fn entry_bic(is_begin: bool) -> Bic {
    return Bic(u32(!is_begin), u32(is_begin));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let part = workgroup.x;
    let first = part * PARTITION_LENGTH + local * ELEMENTS;
    var begins = 0u;
    var n_entries = 0u;
    var bic = Bic(0u, 0u);
    if first < config.n_nodes {
        begins = begins_of_sequence(begin_bits[first / 32u], first, config.n_nodes);
        n_entries = min(ELEMENTS, config.n_nodes - first);
        for (var i = 0u; i < ELEMENTS; i++) {
            bic = bic_then(bic, entry_bic(((begins >> i) & 1u) != 0u));
        }
    }
    scan_suffixes(local, bic, WORKGROUP_SIZE);
    workgroupBarrier();
    let partition_bic = suffix_bics[0];
    if local == 0u {
        partition_bics[part] = partition_bic;
    }

    // Back through the sequence, with all that follows.
    var after = Bic(0u, 0u);
    if local + 1u < WORKGROUP_SIZE {
        after = suffix_bics[local + 1u];
    }
    for (var back = 1u; back <= ELEMENTS; back++) {
        let i = ELEMENTS - back;
        let is_begin = ((begins >> i) & 1u) != 0u;
        if is_begin && after.a == 0u && i < n_entries {
            slices[part * PARTITION_LENGTH + partition_bic.b - 1u - after.b] = first + i;
        }
        after = bic_then(entry_bic(is_begin), after);
    }
}
