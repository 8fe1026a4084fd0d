// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: select_scatter: wide
// shader: select_scatter_wide_few: wide few
// shader: select_scatter_few: few
// shader: select_scatter_boxes: boxes
// shader: select_scatter_boxes_few: boxes few

// Stage select, 3 of 3: each kept item writes its index, and its box if that is asked for, to its
// place. With `wide`, a workgroup has four partitions, which share one prefix sum.

#import grid
#import n_items
#import select_config
#import kept_words

@group(0) @binding(6) var<storage, read_write> selected: array<u32>;
#ifdef boxes
@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> selected_boxes: array<vec4<f32>>;
#endif

// No place is this large: there are fewer items.
const NO_PLACE = 0xffffffffu;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first_part = KEPT_PARTITIONS * workgroup_index(grid);
    let n = n_items();
    if !is_part(first_part, n) {
        return;
    }
    prepare_kept_words(first_part, local, n);
    let before = n_kept_before(first_part);
    for (var i = 0u; i < KEPT_PARTITIONS; i++) {
        scatter(first_part + i, i * WORDS_PER_PARTITION, before, local);
    }
}

// Writes the kept items of a partition, whose first word is in `kept_words` at `first_word`.
fn scatter(part: u32, first_word: u32, before: u32, local: u32) {
    let bit = 1u << (local % 32u);
    // The place of each kept item. The others have none.
    var places: array<u32, ROUNDS>;
    #repeat round 8
    let word = first_word + $round * (WORKGROUP_SIZE / 32u) + local / 32u;
    let kept = kept_words[word];
    let place = before + kept.y - countOneBits(kept.x & ~(bit - 1u));
    places[$round] = select(NO_PLACE, place, (kept.x & bit) != 0u && place < config.capacity);
    #endrepeat
#ifdef boxes
    // Loads before the first store are in flight at the same time.
    var kept_boxes: array<vec4<f32>, ROUNDS>;
    #repeat round 8
    if places[$round] != NO_PLACE {
        kept_boxes[$round] = boxes[part * PARTITION_LENGTH + $round * WORKGROUP_SIZE + local];
    }
    #endrepeat
#endif
    #repeat round 8
    if places[$round] != NO_PLACE {
        selected[places[$round]] = part * PARTITION_LENGTH + $round * WORKGROUP_SIZE + local;
#ifdef boxes
        selected_boxes[places[$round]] = kept_boxes[$round];
#endif
    }
    #endrepeat
}
