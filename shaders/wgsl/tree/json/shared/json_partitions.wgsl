// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: JsonPartition, JsonPartitions, NO_ERROR, partitions

// What is known of each partition, and of the whole text.

struct JsonPartition {
    // The numbers of rows and brackets in the partition. `json_count` replaces them by those before
    // it.
    n_rows: u32,
    n_brackets: u32,
    // The effect of the partition on the last token, and then the last token before it, see
    // `json_tokens`.
    before: u32,
    // The first error of the partition: 32 times its offset, and its reason.
    error: u32,
}

struct JsonPartitions {
    // The first partition with an error.
    first_error: atomic<u32>,
    // The numbers of the whole text.
    n_rows: u32,
    n_brackets: u32,
    // 1 if the text ends in a string, otherwise 0.
    ends_in_string: u32,
    items: array<JsonPartition>,
}

// A partition or an error that is none.
const NO_ERROR = 0xffffffffu;

@group(0) @binding(3) var<storage, read_write> partitions: JsonPartitions;
