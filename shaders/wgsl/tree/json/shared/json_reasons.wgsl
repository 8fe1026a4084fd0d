// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: CONTROL_CHARACTER, ESCAPE, EXTRA_COLON, EXTRA_COMMA, LINE_BREAK, LITERAL, MISMATCHED
// provides: MISSING_COLON, MISSING_COMMA, MISSING_KEY, MISSING_VALUE, NO_VALUE, NUMBER
// provides: OUTSIDE_ROOT
// provides: TOO_MANY_ROWS, UNCLOSED_BRACKET, UNCLOSED_STRING, UNEXPECTED_BYTE, UNOPENED, UTF8
// provides: VALID

// What is wrong with a text, with the numbers of `boxwood_cpu::specification::tree::JsonReason`.

const VALID = 0u;
const UNEXPECTED_BYTE = 1u;
const LITERAL = 2u;
const NUMBER = 3u;
const CONTROL_CHARACTER = 4u;
const ESCAPE = 5u;
const UTF8 = 6u;
const UNOPENED = 7u;
const MISMATCHED = 8u;
const MISSING_COMMA = 9u;
const EXTRA_COMMA = 10u;
const MISSING_COLON = 11u;
const EXTRA_COLON = 12u;
const MISSING_KEY = 13u;
const MISSING_VALUE = 14u;
const OUTSIDE_ROOT = 15u;
const LINE_BREAK = 16u;
const UNCLOSED_STRING = 17u;
const UNCLOSED_BRACKET = 18u;
const NO_VALUE = 19u;
// The buffers have no room for the rows. The text may also have errors. The number fits into the
// five bits that `json_error` has for it.
const TOO_MANY_ROWS = 31u;
