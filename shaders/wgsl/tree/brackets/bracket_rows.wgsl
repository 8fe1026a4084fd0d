// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets: the role and the position of each bracket.

#import grid
#import text_config
#import text
#import bracket_words
#import bracket_syntax
#import bracket_roles

@group(0) @binding(3) var<storage> words: array<vec2<u32>>;
@group(0) @binding(4) var<storage> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> roles: array<u32>;
@group(0) @binding(6) var<storage, read_write> positions: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let word = part * PARTITION_WORDS + local;
    if local >= PARTITION_WORDS || word >= n_words() {
        return;
    }
    let item = words[word];
    if item.y == 0u {
        return;
    }
    let bytes = word_at(word);
    var state = state_before_word(item);
    var row = counts[part] + brackets_before_word(item);
    for (var i = 0u; i < WORD_BYTES - countLeadingZeros(item.y); i++) {
        let step = step_of(state, byte_in(bytes, i));
        if is_bracket(step.y) {
            if row < config.capacity {
                roles[row] = step.y;
                positions[row] = WORD_BYTES * word + i;
            }
            row += 1u;
        }
        state = step.x;
    }
}
