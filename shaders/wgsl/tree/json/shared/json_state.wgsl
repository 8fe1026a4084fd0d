// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: NO_STATE, RUN_EXPONENT, RUN_INTEGER, RUN_NONE, RUN_POINT, START_STATE, escaped_bytes
// provides: is_in_string, run_in, starts_escaped, state_then

// The state of the lexer before a byte, and the effect of a part of the text on it.
//
// Both are a word:
//
// | bits | content                                                                        |
// |------|--------------------------------------------------------------------------------|
// | 0    | 1 if the part begins or ends a string, provided that its first byte is not hidden |
// | 1    | 1 if it then hides the byte after it                                           |
// | 2, 3 | whether bits 0 and 1 are the opposite if a backslash before hides the first byte |
// | 4, 5 | the number at the end of the part, RUN_*                                       |
// | 6    | 0 if the part continues a run before it to its end, and so perhaps a number     |
//
// A state is the effect of all of the text before a byte. Its bits 2 and 3 are 0.
//
// Strings do not matter to bits 4 to 6: a number contains no quotation mark.

// The effect of no text: a hidden byte stays hidden, and a number continues without change.
const NO_STATE = 0x18u;
// The state before the text.
const START_STATE = 0x40u;

// The part of a number before a byte of its run of scalar bytes: nothing, which also stands for
// other runs, a number without point and exponent, with a point, or with an exponent.
const RUN_NONE = 0u;
const RUN_INTEGER = 1u;
const RUN_POINT = 2u;
const RUN_EXPONENT = 3u;

fn is_in_string(state: u32) -> bool {
    return (state & 1u) != 0u;
}

// 1 if a backslash before hides the first byte, otherwise 0.
fn starts_escaped(state: u32) -> u32 {
    return (state >> 1u) & 1u;
}

fn run_in(state: u32) -> u32 {
    return (state >> 4u) & 3u;
}

// The effect of x and then y.
fn state_then(x: u32, y: u32) -> u32 {
    let opposite = (y >> 2u) & 3u;
    // What y does after x, if the first byte of x is not hidden, and what changes if it is.
    let own = (y & 3u) ^ select(0u, opposite, (x & 2u) != 0u);
    let change = select(0u, opposite, (x & 8u) != 0u);
    let hidden = (own ^ (x & 1u)) | ((change << 2u) ^ (x & 4u));
    let run = select(max(run_in(x), run_in(y)), RUN_NONE, run_in(x) == RUN_NONE);
    let is_constant = (x | y) & 0x40u;
    return hidden | is_constant | (select(run, run_in(y), (y & 0x40u) != 0u) << 4u);
}

// The bytes that a backslash hides, and those that hide another byte. `hidden` is 1 if a backslash
// before the word hides its first byte.
//
// Source: simdjson, `find_escaped`. In a run of backslashes that begins at an even byte, those at
// even bytes hide the next byte. The subtraction carries through each run.
fn escaped_bytes(backslash: u32, hidden: u32) -> vec2<u32> {
    let odd = 0xaaaaaaaau;
    let may_hide = backslash & ~hidden;
    let hides_or_ends = (((may_hide << 1u) | odd) - may_hide) ^ odd;
    return vec2(hides_or_ends ^ (backslash | hidden), hides_or_ends & backslash);
}
