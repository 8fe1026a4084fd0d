// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: TextConfig, PARTITION_BYTES, PARTITION_WORDS, WORD_BYTES, config, n_text_partitions
// provides: n_words

// A text, and its division. `boxwood::tree::TextConfig` has the same layout.

#import grid

struct TextConfig {
    n_bytes: u32,
    // The number of rows that the buffers have room for.
    capacity: u32,
    // 1 if each line is a root, otherwise 0. Only stage json reads it.
    has_lines: u32,
    padding: u32,
}

@group(0) @binding(0) var<uniform> config: TextConfig;

// A word is 32 bytes of text, so that a set of its bytes is a bit mask: bit i is byte i.
const WORD_BYTES = 32u;
// The words of a partition, one per invocation. Some checks of stage json look ahead into the next
// word, so the last invocation has the first word of the next partition.
const PARTITION_WORDS = WORKGROUP_SIZE - 1u;
const PARTITION_BYTES = WORD_BYTES * PARTITION_WORDS;

fn n_words() -> u32 {
    return config.n_bytes / WORD_BYTES + u32(config.n_bytes % WORD_BYTES != 0u);
}

fn n_text_partitions() -> u32 {
    return (n_words() + PARTITION_WORDS - 1u) / PARTITION_WORDS;
}
