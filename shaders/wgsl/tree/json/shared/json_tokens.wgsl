// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: AFTER_ARRAY, AFTER_COLON, AFTER_COMMA, AFTER_NOTHING, AFTER_OBJECT, AFTER_STRING
// provides: AFTER_STRING_VALUE
// provides: AFTER_VALUE, IS_TOKEN, PENDING_STRING, START_BEFORE, before_then, in_strings

// The last token before a byte, and the effect of a part of the text on it:
//
// | effect        | of a part that has                                            |
// |---------------|---------------------------------------------------------------|
// | 0             | no token                                                      |
// | 1             | one token, a string, whose role depends on the token before it |
// | 8 + AFTER_*   | this last token                                               |
//
// A state is the effect of all of the text before a byte.

const PENDING_STRING = 1u;
const IS_TOKEN = 8u;

// At the begin of the text, or of a line if each line is a root.
const AFTER_NOTHING = 0u;
// After the opening bracket of an object or array.
const AFTER_OBJECT = 1u;
const AFTER_ARRAY = 2u;
const AFTER_COMMA = 3u;
const AFTER_COLON = 4u;
// After a string that does not follow a colon, and one that does.
const AFTER_STRING = 5u;
const AFTER_STRING_VALUE = 6u;
// After another value.
const AFTER_VALUE = 7u;

const START_BEFORE = IS_TOKEN + AFTER_NOTHING;

// The effect of x and then y.
fn before_then(x: u32, y: u32) -> u32 {
    if y != PENDING_STRING {
        return select(y, x, y == 0u);
    }
    if x == 0u {
        return PENDING_STRING;
    }
    return IS_TOKEN + select(AFTER_STRING, AFTER_STRING_VALUE, x == IS_TOKEN + AFTER_COLON);
}

// The bytes of a word that are in strings, from the opening quotation mark up to the closing one,
// which is not among them: the parity of the quotation marks up to each byte.
fn in_strings(quotes: u32, starts_in_string: bool) -> u32 {
    var parity = quotes;
    parity ^= parity << 1u;
    parity ^= parity << 2u;
    parity ^= parity << 4u;
    parity ^= parity << 8u;
    parity ^= parity << 16u;
    return select(parity, ~parity, starts_in_string);
}
