// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets: the input of the matcher, a bit per bracket, which is 1 if it opens. The last
// entry is the end of the text.

#import grid
#import match_config
#import bracket_roles

@group(0) @binding(0) var<uniform> config: MatchConfig;
@group(0) @binding(1) var<storage> roles: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> begin_bits: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    // The number of brackets is known on the GPU alone, so the number of workgroups does not depend
    // on it.
    let stride = n_workgroups(grid) * WORKGROUP_SIZE;
    let n_bit_words = (config.n_entries + 31u) / 32u;
    for (var i = workgroup_index(grid) * WORKGROUP_SIZE + local; i < n_bit_words; i += stride) {
        begin_bits[i] = bits_of(i);
    }
}

fn bits_of(bit_word: u32) -> u32 {
    var bits = 0u;
    for (var quad = 0u; quad < 8u; quad++) {
        let first = 32u * bit_word + 4u * quad;
        if first + 1u >= config.n_entries {
            break;
        }
        let own = roles[first / 4u];
        #repeat i 4
        bits |= u32(is_open(own[$i]) && first + $i + 1u < config.n_entries) << (4u * quad + $i);
        #endrepeat
    }
    return bits;
}
