// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: NodeLink, TAG_BEGIN, TAG_END, TAG_NOP, node_is_begin

// Draw tags, as in Vello's encoding. Any other is a leaf.
const TAG_NOP = 0x0u;
const TAG_BEGIN = 0x49u;
const TAG_END = 0x21u;

// Where an entry of the node stream hangs in the tree: indices into the node stream, -1 for none.
// boxwood_layout::NodeLink has the same layout.
struct NodeLink {
    parent: i32,
    partner: i32,
}

// An entry of the node stream is the index of its element for a begin, the complement of that for an end.
fn node_is_begin(node: i32) -> bool {
    return node >= 0;
}
