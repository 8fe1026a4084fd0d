// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: compact_scatter
// shader: compact_scatter_chunked: chunked

// Stage compact, 3 of 3: the node stream, and the rank of every element in it.
//
// The caller announces the number of begins and ends, `config.n_entries`. If the tags have more,
// the excess is dropped.

#import chunk
#import config
#import grid
#import quad
#import tag_quad
#import tag_sets

// The number of begins and ends before each partition.
@group(0) @binding(2) var<storage> partition_entries: array<u32>;
@group(0) @binding(3) var<storage, read_write> ranks: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> entries: array<i32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

var<workgroup> staged_entries: array<i32, PARTITION_LENGTH>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part * PARTITION_LENGTH >= config.n_elements {
        return;
    }
    let first = min(partition_entries[part], config.n_entries);
#ifdef chunked
    if !has_entry(first) {
        return;
    }
#endif
    let quad = part * WORKGROUP_SIZE + local;
    let is_within = quad * QUAD_LENGTH < config.n_elements;
    var begins = 0u;
    var all = 0u;
    if is_within {
        let tags = draw_tags[quad];
        begins = begins_among(tags);
        all = begins | ends_among(tags);
    }
    let sum = prefix_sum(local, countOneBits(all));
    let n_before = sum - countOneBits(all);
    let own_ranks = vec4(n_before) + countOneBits(vec4(all) & vec4(0u, 1u, 3u, 7u));
    if is_within {
        ranks[quad] = min(first + own_ranks, vec4(config.n_entries));
    }
    // Through workgroup memory, so that adjacent invocations store adjacent items.
    #repeat i 4
    if ((all >> $i) & 1u) != 0u {
        let element = i32(chunk.first_partition * PARTITION_LENGTH + quad * QUAD_LENGTH + $i);
        staged_entries[own_ranks[$i]] = select(~element, element, ((begins >> $i) & 1u) != 0u);
    }
    #endrepeat
    workgroupBarrier();
    // Beyond the announced number there are excess entries, and tags of an earlier scene after
    // the last element.
    let n_staged = min(prefix_sums[WORKGROUP_SIZE - 1u], config.n_entries - first);
    for (var slot = local; slot < n_staged; slot += WORKGROUP_SIZE) {
        entries[first - chunk.first_entry + slot] = staged_entries[slot];
    }
}
