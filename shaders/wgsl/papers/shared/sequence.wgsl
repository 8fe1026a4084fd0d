// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: ELEMENTS, PARTITION_LENGTH, begins_of_sequence

// The sequence of entries that an invocation takes, k in Levien 2022, section 8. Bit i stands for entry i.

#import config

#ifdef ELEMENTS_2
const ELEMENTS = 2u;
#endif
#ifdef ELEMENTS_4
const ELEMENTS = 4u;
#endif
#ifdef ELEMENTS_8
const ELEMENTS = 8u;
#endif

const PARTITION_LENGTH = ELEMENTS * WORKGROUP_SIZE;

// The begins among the entries from `first` on, which is a multiple of ELEMENTS below `n`, given its word of begin bits.
// Beyond the end of the input there are begins, which nothing sees.
fn begins_of_sequence(word: u32, first: u32, n: u32) -> u32 {
    var begins = word >> (first & 31u);
    if n - first < ELEMENTS {
        begins |= 0xffffffffu << (n - first);
    }
    return begins & ((1u << ELEMENTS) - 1u);
}
