// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: nodes
// provides: begins_at

// The kinds of the entries of a node stream, for shaders with one entry per invocation.

#import node

// Bit 0: whether entry `index` is a begin.
fn begins_at(index: u32) -> u32 {
    return u32(node_is_begin(nodes[index]));
}
