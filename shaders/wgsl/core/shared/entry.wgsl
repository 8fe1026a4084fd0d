// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: EntryLink, TAG_BEGIN, TAG_END, TAG_NOP, entry_is_begin

// Draw tags, with the values of Vello's encoding. Every other tag is a leaf.
const TAG_NOP = 0x0u;
const TAG_BEGIN = 0x49u;
const TAG_END = 0x21u;

// The parent and partner of an entry: indices into the node stream, or -1. `boxwood_cpu::EntryLink`
// has the same layout.
struct EntryLink {
    parent: i32,
    partner: i32,
}

// An entry of the node stream is the index of its element for a begin, and the complement of the
// index for an end.
fn entry_is_begin(entry: i32) -> bool {
    return entry >= 0;
}
