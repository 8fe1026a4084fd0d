// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: n_items

// The number of items, which is a word of a buffer, so that an earlier dispatch can write it. The
// uniform `config` says which word, and how many items the buffers have room for.

@group(0) @binding(1) var<storage> item_counts: array<u32>;

fn n_items() -> u32 {
    return min(item_counts[config.count_word], config.capacity);
}
