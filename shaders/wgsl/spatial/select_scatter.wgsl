// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: select_scatter
// shader: select_scatter_boxes: boxes

// Stage select, 3 of 3: each kept item writes its index, and its box if that is asked for, to its
// place.

#import grid
#import n_items
#import select_config
#import kept_words

@group(0) @binding(4) var<storage> partition_counts: array<u32>;
@group(0) @binding(6) var<storage, read_write> selected: array<u32>;
#ifdef boxes
@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> selected_boxes: array<vec4<f32>>;
#endif

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    if part >= n_partitions(n) {
        return;
    }
    prepare_kept_words(part, local, n);
    let before = partition_counts[part];
    let bit = 1u << (local % 32u);
    #repeat round 8
    let word = $round * (WORKGROUP_SIZE / 32u) + local / 32u;
    let bits = kept_words[word];
    let place = before + kept_words_end(word) - countOneBits(bits & ~(bit - 1u));
    if (bits & bit) != 0u && place < config.capacity {
        let item = part * PARTITION_LENGTH + $round * WORKGROUP_SIZE + local;
        selected[place] = item;
#ifdef boxes
        selected_boxes[place] = boxes[item];
#endif
    }
    #endrepeat
}
