// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, in texts of several groups of partitions: the numbers of rows and brackets of each
// group, and its effect on the last token.

#import grid
#import json_config
#import json_groups
#import json_partitions
#import json_tokens

@group(0) @binding(4) var<storage, read_write> group_counts: array<vec4<u32>>;

alias HeapItem = vec3<u32>;

fn join_items(left: vec3<u32>, right: vec3<u32>) -> vec3<u32> {
    return vec3(left.xy + right.xy, before_then(left.z, right.z));
}

#import heap

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    if group >= n_groups() {
        return;
    }
    let first = group * GROUP_PARTITIONS + N_OWN * local;
    var counts = vec3(0u);
    #repeat i 4
    if first + $i < n_text_partitions() {
        let own = partitions.items[first + $i];
        counts = join_items(counts, vec3(own.n_rows, own.n_brackets, own.before));
    }
    #endrepeat
    build_heap(local, counts);
    if local == 0u {
        group_counts[group] = vec4(heap[1], 0u);
    }
}
