// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: Planes, RUN_EXPONENT, RUN_INTEGER, RUN_NONE, RUN_POINT, digits, escaped_bytes
// requires: exponents, minuses
// requires: is_scalar_byte, points
// provides: effect_on_numbers, effect_on_strings

// The effect of a word on the state of the lexer.

// The effect of a word on strings, bits 0 to 3 of a state.
fn effect_on_strings(backslash: u32, quotes: u32) -> u32 {
    let escaped = escaped_bytes(backslash, 0u);
    let parity = countOneBits(quotes & ~escaped.x) & 1u;
    let hides = escaped.y >> 31u;
    if backslash == 0xffffffffu {
        // An even number of backslashes.
        return parity | 8u;
    }
    // If the first byte is hidden, every second backslash of the run at the begin of the word
    // hides its successor instead of the others. So the byte after the run is hidden if it was not.
    let after_run = firstTrailingBit(~backslash);
    return parity | (hides << 1u) | (((quotes >> after_run) & 1u) << 2u);
}

// The effect of a word on numbers, bits 4 to 6 of a state. `last_byte` is the byte before the word.
fn effect_on_numbers(p: Planes, scalar: u32, last_byte: u32) -> u32 {
    let other = ~scalar;
    // The bytes of the last run, which may be empty.
    let first = 32u - countLeadingZeros(other);
    let run = select(0xffffffffu << (first % 32u), 0u, first == 32u);
    let continues = other == 0u && is_scalar_byte(last_byte);
    let is_number = continues || ((digits(p) | minuses(p)) & run & (0u - run)) != 0u;
    var state = select(RUN_INTEGER, RUN_POINT, (points(p) & run) != 0u);
    state = select(state, RUN_EXPONENT, (exponents(p) & run) != 0u);
    return (select(RUN_NONE, state, is_number) << 4u) | (u32(!continues) << 6u);
}
