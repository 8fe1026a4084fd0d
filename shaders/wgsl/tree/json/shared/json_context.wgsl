// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: NO_ROW, OTHERS, POSITIONS, ROW, bracket_item, is_brace, is_open, row_of

// The brackets of the text, and what is around each of them.
//
// `brackets` has two arrays, one after the other, with an item per bracket that there is room for:
//
// | array     | content                                                                |
// |-----------|------------------------------------------------------------------------|
// | the first | its row. Bit 31 is set if it is a brace, bit 30 if it opens            |
// | POSITIONS | its offset in the text                                                 |
//
// `contexts` has two arrays with one item more, for the end of the text:
//
// | array      | content                                                                |
// |------------|------------------------------------------------------------------------|
// | the first  | the item of the innermost bracket that is open before it, or NO_ROW    |
// | OTHERS     | if it closes, the container of its begin; if it opens, its end         |
//
// A container contains the tokens between the bracket before and this one. If this bracket closes,
// its container is its begin.

const POSITIONS = 1u;
const OTHERS = 1u;

const ROW = 0x3fffffffu;
// There are fewer rows.
const NO_ROW = 0x3fffffffu;

fn bracket_item(row: u32, opens: bool, is_of_brace: bool) -> u32 {
    return row | (u32(opens) << 30u) | (u32(is_of_brace) << 31u);
}

fn is_brace(item: u32) -> bool {
    return (item & 0x80000000u) != 0u;
}

fn is_open(item: u32) -> bool {
    return (item & 0x40000000u) != 0u;
}

// The row of an item, or -1 for NO_ROW.
fn row_of(item: u32) -> i32 {
    let row = item & ROW;
    return select(i32(row), -1, row == NO_ROW);
}
