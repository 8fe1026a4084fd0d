// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets: the brackets of each word, their number in each partition, and the first byte
// that is not allowed.

#import grid
#import text_config
#import text
#import bracket_words
#import bracket_syntax
#import bracket_roles
#import bracket_effects
#import bracket_reasons
#import bracket_summary

@group(0) @binding(4) var<storage, read_write> words: array<vec2<u32>>;
@group(0) @binding(5) var<storage> states: array<u32>;
@group(0) @binding(6) var<storage, read_write> counts: array<u32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= n_text_partitions() {
        return;
    }
    let word = part * PARTITION_WORDS + local;
    let is_used = local < PARTITION_WORDS && word < n_words();
    var state = 0u;
    var brackets = 0u;
    if is_used {
        state = state_after(words[word], states[part]);
        brackets = brackets_of(word, state);
    }
    let n_brackets = countOneBits(brackets);
    let n_before = prefix_sum(local, n_brackets) - n_brackets;
    if is_used {
        words[word] = word_item(state, n_before, brackets);
    }
    if local == WORKGROUP_SIZE - 1u {
        counts[part] = n_before + n_brackets;
    }
}

// The brackets of a word, which begins in a state.
fn brackets_of(word: u32, first_state: u32) -> u32 {
    let bytes = word_at(word);
    let n = bytes_in(word);
    var state = first_state;
    var brackets = 0u;
    for (var i = 0u; i < n; i++) {
        let step = step_of(state, byte_in(bytes, i));
        brackets |= u32(is_bracket(step.y)) << i;
        if step.y == ROLE_INVALID {
            keep_error(INVALID_BYTE, WORD_BYTES * word + i);
        }
        state = step.x;
    }
    return brackets;
}
