// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage search, before the search of rearranged keys: copies the keys into the levels of a search
// tree. `boxwood_cpu::specification::spatial::rearrange` describes it. An invocation copies a
// quarter of the 16 keys of a node.

#import grid
#import search_config

@group(0) @binding(3) var<storage> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> rearranged: array<vec4<u32>>;

// A key after all others.
const NO_KEY = 0xffffffffu;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let vector = workgroup_index(grid) * WORKGROUP_SIZE + local;
    var level = 0u;
    for (var next = 1u; next < config.n_levels; next++) {
        if vector / 4u >= config.levels[next].x {
            level = next;
        }
    }
    let own = config.levels[level];
    let node = vector / 4u - own.x;
    if node >= own.y {
        return;
    }
    // An inner node does not have the first key of its first child.
    let is_last = level + 1u == config.n_levels;
    let first = select(17u * node + 1u, 16u * node, is_last) + 4u * (vector % 4u);
    let n = n_keys();
    var copied = vec4(NO_KEY);
    #repeat i 4
    if first + $i <= own.w && (first + $i) * own.z < n {
        copied[$i] = keys[(first + $i) * own.z];
    }
    #endrepeat
    rearranged[vector] = copied;
}
