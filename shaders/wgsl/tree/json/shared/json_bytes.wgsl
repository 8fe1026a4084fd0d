// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: Planes, SPACE
// provides: backslashes, bracket_bytes, colons, commas, control_characters, digits, exponents
// provides: is_scalar_byte, line_breaks, minuses, points, quotation_marks, reached, scalar_bytes
// provides: space_row, spaces

// The sets of the bytes of a word that JSON gives a meaning.

// Control characters: 00 to 1f.
fn control_characters(p: Planes) -> u32 {
    return ~(p.b7 | p.b6 | p.b5);
}

// The bytes whose high nibble is 2 or 3.
fn space_row(p: Planes) -> u32 {
    return ~(p.b7 | p.b6) & p.b5 & ~p.b4;
}

fn digit_row(p: Planes) -> u32 {
    return ~(p.b7 | p.b6) & p.b5 & p.b4;
}

fn quotation_marks(p: Planes) -> u32 {
    return space_row(p) & ~(p.b3 | p.b2) & p.b1 & ~p.b0;
}

fn backslashes(p: Planes) -> u32 {
    return ~p.b7 & p.b6 & ~p.b5 & p.b4 & p.b3 & p.b2 & ~(p.b1 | p.b0);
}

// { } [ ], which are 7b 7d 5b 5d. Bit 1 is set if the bracket opens, bit 5 if it is a brace.
fn bracket_bytes(p: Planes) -> u32 {
    return ~p.b7 & p.b6 & p.b4 & p.b3 & p.b0 & (p.b2 ^ p.b1);
}

fn commas(p: Planes) -> u32 {
    return space_row(p) & p.b3 & p.b2 & ~(p.b1 | p.b0);
}

fn colons(p: Planes) -> u32 {
    return digit_row(p) & p.b3 & ~p.b2 & p.b1 & ~p.b0;
}

fn line_breaks(p: Planes) -> u32 {
    return control_characters(p) & ~p.b4 & p.b3 & ~p.b2 & p.b1 & ~p.b0;
}

// Space, tabulator, line feed, carriage return: 20 09 0a 0d.
fn spaces(p: Planes) -> u32 {
    let low = p.b3 & ((~p.b2 & (p.b1 ^ p.b0)) | (p.b2 & ~p.b1 & p.b0));
    return (space_row(p) & ~(p.b3 | p.b2 | p.b1 | p.b0)) | (control_characters(p) & ~p.b4 & low);
}

// The bytes that belong to numbers and literals, outside of strings, and those that belong nowhere.
fn scalar_bytes(p: Planes) -> u32 {
    return ~(spaces(p) | bracket_bytes(p) | commas(p) | colons(p) | quotation_marks(p));
}

// Whether a byte belongs to numbers and literals, outside of strings: it is not white space, a
// separator, a bracket, or a quotation mark.
fn is_scalar_byte(byte: u32) -> bool {
    // Brackets differ in the bits 0x26: { } [ ] are 7b 7d 5b 5d.
    let is_bracket = ((byte & 0xd9u) == 0x59u) && ((byte & 6u) == 2u || (byte & 6u) == 4u);
    let is_space = byte == SPACE || byte == 9u || byte == 10u || byte == 13u;
    let is_separator = byte == 0x2cu || byte == 0x3au;
    return !(is_bracket || is_space || is_separator || byte == 0x22u);
}

fn digits(p: Planes) -> u32 {
    return digit_row(p) & ~(p.b3 & (p.b2 | p.b1));
}

fn minuses(p: Planes) -> u32 {
    return space_row(p) & p.b3 & p.b2 & ~p.b1 & p.b0;
}

fn points(p: Planes) -> u32 {
    return space_row(p) & p.b3 & p.b2 & p.b1 & ~p.b0;
}

// e and E, which are 65 and 45.
fn exponents(p: Planes) -> u32 {
    return ~p.b7 & p.b6 & ~(p.b4 | p.b3) & p.b2 & ~p.b1 & p.b0;
}

// The bytes of `starts`, those of `through` in a row that follow them, and the byte after these. A
// start in a run of `through` carries to its end.
fn reached(starts: u32, through: u32) -> u32 {
    return starts | (((starts & through) + through) ^ through);
}
