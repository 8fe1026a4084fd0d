// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, nodes, values
// provides: value_at

// The values that are scanned over a tree. Needs the bindings `config`, `nodes` and `values`.

#import monoid
#import node

// The value of an entry of the node stream: a begin's own, the identity at an end and beyond the stream.
fn value_at(index: u32) -> Value {
    if index < config.n_nodes {
        if node_is_begin(nodes[index]) {
            return values[index];
        }
    }
    return identity();
}
