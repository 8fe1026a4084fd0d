// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: select_search
// shader: select_search_few: few
// shader: select_search_boxes: boxes
// shader: select_search_boxes_few: boxes few

// Stage select, 3 of 3, without scattered writes: each place of the output searches for its item.
//
// Roger, Assarsson, Holzschuch, *Efficient Stream Reduction on the GPU* (2007): the items of a
// block are reduced on their own, by a search in the prefix sum of the removed items, and the
// blocks are then concatenated. Here a block is a partition. Place i takes the item with i kept
// items before it. A binary search over the counts of kept items finds the word. A binary search
// inside the word finds the bit.

#import grid
#import n_items
#import select_config
#import kept_words

@group(0) @binding(6) var<storage, read_write> selected: array<u32>;
#ifdef boxes
@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> selected_boxes: array<vec4<f32>>;
#endif

// The first word with more than `i` kept items up to its end, which must exist.
fn word_of(i: u32) -> u32 {
    var word = 0u;
    for (var step = WORDS_PER_PARTITION / 2u; step > 0u; step /= 2u) {
        if kept_words[word + step - 1u].y <= i {
            word += step;
        }
    }
    return word;
}

// The position of the bit with `i` ones below it, which must exist.
fn bit_of(word: u32, i: u32) -> u32 {
    var bits = word;
    var rest = i;
    var bit = 0u;
    for (var width = 16u; width > 0u; width /= 2u) {
        let n_low = countOneBits(bits & ((1u << width) - 1u));
        if n_low <= rest {
            rest -= n_low;
            bits >>= width;
            bit += width;
        }
    }
    return bit;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    if !is_part(part, n) {
        return;
    }
    prepare_kept_words(part, local, n);
    let before = n_kept_before(part);
    let n_kept = kept_words[WORDS_PER_PARTITION - 1u].y;
    for (var i = local; i < n_kept; i += WORKGROUP_SIZE) {
        let word = word_of(i);
        let kept = kept_words[word];
        let bit = bit_of(kept.x, i + countOneBits(kept.x) - kept.y);
        let item = part * PARTITION_LENGTH + 32u * word + bit;
        if before + i < config.capacity {
            selected[before + i] = item;
#ifdef boxes
            selected_boxes[before + i] = boxes[item];
#endif
        }
    }
}
