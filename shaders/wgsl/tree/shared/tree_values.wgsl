// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, nodes, values
// provides: value_at

// The values of a tree scan.

#import monoid
#import node

// The value of a begin. The identity for an end, and beyond the node stream.
fn value_at(index: u32) -> Value {
    if index < config.n_nodes {
        if node_is_begin(nodes[index]) {
            return values[index];
        }
    }
    return identity();
}
