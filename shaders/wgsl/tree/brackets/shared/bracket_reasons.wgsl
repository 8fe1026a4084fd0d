// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: INVALID_BYTE, MISMATCHED, TOO_MANY_ROWS, UNCLOSED, UNFINISHED, UNOPENED, VALID

// Why a text has no rows, with the numbers of `boxwood_cpu::specification::tree::BracketReason`.

const VALID = 0u;
const INVALID_BYTE = 1u;
const UNOPENED = 2u;
const MISMATCHED = 3u;
const UNFINISHED = 4u;
const UNCLOSED = 5u;
// The buffers have no room for the rows. The text may also have errors. The number is that of stage
// json.
const TOO_MANY_ROWS = 31u;
