// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, first dispatch: the effect of each partition of the text on the state of the lexer.

#import grid
#import text_config
#import text
#import byte_planes
#import json_bytes
#import json_state
#import json_effects

@group(0) @binding(2) var<storage, read_write> states: array<u32>;

alias HeapItem = u32;

fn join_items(left: u32, right: u32) -> u32 {
    return state_then(left, right);
}

#import heap

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= n_text_partitions() {
        return;
    }
    var state = NO_STATE;
    if local < PARTITION_WORDS {
        let word = part * PARTITION_WORDS + local;
        let p = planes_of(word_at(word));
        let last_byte = quad_before_word(word) >> 24u;
        state = effect_on_strings(backslashes(p), quotation_marks(p)) | effect_on_numbers(p, scalar_bytes(p), last_byte);
    }
    build_heap(local, state);
    if local == 0u {
        states[part] = heap[1];
    }
}
