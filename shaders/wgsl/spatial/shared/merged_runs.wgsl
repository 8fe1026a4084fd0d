// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: MAX_WIRES, config
// provides: Runs, TILE_LENGTH, runs_of

// Two neighbouring runs that a pass of the adaptive bitonic sort merges: the items from `first` to
// `middle`, and those from there to `end`. Either can be short, or have no items.

// The number of items that a workgroup merges: a tile is a bitonic sequence of all wires.
const TILE_LENGTH = MAX_WIRES;

struct Runs {
    first: u32,
    middle: u32,
    end: u32,
}

// The runs that an item belongs to, of n items.
fn runs_of(item: u32, n: u32) -> Runs {
    let first = item & ~(2u * config.run_length - 1u);
    return Runs(first, min(first + config.run_length, n), min(first + 2u * config.run_length, n));
}
