// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: ROLE_INVALID, is_bracket, is_open, kind_of_role

// The roles of bytes, with the numbers of `boxwood_cpu::specification::tree::BracketRole`: 0 for
// none, 1 to 7 if the byte opens a bracket of the kinds 0 to 6, 8 to 14 if it closes one, 15 if it
// is not allowed.

const ROLE_OPENS = 1u;
const ROLE_CLOSES = 8u;
const ROLE_INVALID = 15u;

fn is_bracket(role: u32) -> bool {
    return role != 0u && role != ROLE_INVALID;
}

fn is_open(role: u32) -> bool {
    return role >= ROLE_OPENS && role < ROLE_CLOSES;
}

fn kind_of_role(role: u32) -> u32 {
    return role - select(ROLE_CLOSES, ROLE_OPENS, is_open(role));
}
