// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, links, nodes, resolve
// provides: link_entry

// The links of an entry of the node stream, by a search of the tree of bicyclic sums. Needs the bindings `config`, `nodes` and
// `links`, and the function `resolve`, which finds the begin that a search has led to, -1 for none.

#import bic
#import config
#import node
#import tree_search

fn link_entry(part: u32, local: u32) {
    let index = part * WORKGROUP_SIZE + local;
    var is_begin = false;
    var bic = Bic(0u, 0u);
    if index < config.n_nodes {
        is_begin = node_is_begin(nodes[index]);
        bic = Bic(u32(!is_begin), u32(is_begin));
    }
    build_tree(local, bic);

    if index >= config.n_nodes {
        return;
    }
    let top = resolve(part, search_top(local, Bic(0u, 0u)));
    if is_begin {
        links[index].parent = top;
    } else if top >= 0 {
        links[index].partner = top;
        links[top].partner = i32(index);
        links[index].parent = resolve(part, search_top(local, Bic(1u, 0u)));
    }
}
