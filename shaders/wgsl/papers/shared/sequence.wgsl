// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: begin_bits
// provides: ELEMENTS, PARTITION_LENGTH, begins_at

// The sequence of entries of an invocation. ELEMENTS is k in Levien 2022, section 8.

#import config
#import grid

#ifdef ELEMENTS_1
const ELEMENTS = 1u;
#endif
#ifdef ELEMENTS_4
const ELEMENTS = 4u;
#endif

const PARTITION_LENGTH = ELEMENTS * WORKGROUP_SIZE;

// Bit i is set if entry first + i is a begin. `first` is a multiple of ELEMENTS below
// `config.n_entries`. Begins take the place of the entries beyond the end of the input. These do
// not affect the results of the entries before them.
fn begins_at(first: u32) -> u32 {
    var begins = begin_bits[first / 32u] >> (first & 31u);
    if config.n_entries - first < ELEMENTS {
        begins |= 0xffffffffu << (config.n_entries - first);
    }
    return begins & ((1u << ELEMENTS) - 1u);
}
