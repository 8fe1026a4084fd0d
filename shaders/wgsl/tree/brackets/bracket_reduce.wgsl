// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets, first dispatch: the effect on the state of each partition of the text, and of
// what is before each word in its partition.

#import grid
#import text_config
#import text
#import bracket_words
#import bracket_syntax
#import bracket_effects

@group(0) @binding(3) var<storage, read_write> words: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> effects: array<vec2<u32>>;

// The effect of each byte.
var<workgroup> byte_effects: array<vec2<u32>, 256>;

alias Scanned = vec2<u32>;

fn scan_join(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    return effect_then(x, y);
}

#import ordered_scan

fn effect_of_byte(byte: u32) -> vec2<u32> {
    let steps = syntax.steps[byte];
    var effect = vec2(0u);
    #repeat i 8
    effect.x |= ((steps[$i / 4u] >> (8u * ($i % 4u))) & 15u) << (4u * $i);
    effect.y |= ((steps[2u + $i / 4u] >> (8u * ($i % 4u))) & 15u) << (4u * $i);
    #endrepeat
    return effect;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= n_text_partitions() {
        return;
    }
    byte_effects[local] = effect_of_byte(local);
    workgroupBarrier();
    let word = part * PARTITION_WORDS + local;
    var own = NO_EFFECT;
    if local < PARTITION_WORDS {
        let bytes = word_at(word);
        let n = bytes_in(word);
        for (var i = 0u; i < n; i++) {
            own = effect_then(own, byte_effects[byte_in(bytes, i)]);
        }
    }
    ordered_scan(local, own);
    if local < PARTITION_WORDS && word < n_words() {
        var before = NO_EFFECT;
        if local > 0u {
            before = scanned_through(local - 1u);
        }
        words[word] = before;
    }
    if local == WORKGROUP_SIZE - 1u {
        effects[part] = scanned_through(local);
    }
}
