// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORKGROUP_SIZE, config
// provides: ITEMS_PER_INVOCATION, N_DIGITS, TILE_LENGTH, chunk_of, digit_of

// Tiles and digits of the radix sort. A chunk is a range of tiles that one workgroup processes in
// each pass.

const N_DIGITS = 256u;
const ITEMS_PER_INVOCATION = 8u;
const TILE_LENGTH = ITEMS_PER_INVOCATION * WORKGROUP_SIZE;

fn digit_of(key: u32) -> u32 {
    return ((key & config.key_mask) >> config.shift) & (N_DIGITS - 1u);
}

// The first item of a chunk, and the item after its last one, of `n` items.
fn chunk_of(chunk: u32, n: u32) -> vec2<u32> {
    let n_tiles = (n + TILE_LENGTH - 1u) / TILE_LENGTH;
    let length = (n_tiles + config.n_chunks - 1u) / config.n_chunks * TILE_LENGTH;
    // The product stays within a u32: a chunk has less than a tile more than its share of the items.
    let first = min(chunk * length, n);
    return vec2(first, min(first + length, n));
}
