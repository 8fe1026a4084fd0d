// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: begins_at, links
// provides: link_entry

// The parent and the partner of an entry of the node stream.

#import config
#import entry_search
#import grid

// Writes the links of entry `local` of a partition. The partner is the top of the stack before an
// end. The parent of a begin is that top, and the parent of an end is the begin below it.
//
// Every index is within `links`: `top_before` returns -1 or an earlier entry.
fn link_entry(part: u32, local: u32) {
    build_entry_tree(part, local);
    let index = part * WORKGROUP_SIZE + local;
    if index >= config.n_entries {
        return;
    }
    let top = top_before(part, local, 0u);
    if begins_at(index) == 1u {
        links[index].parent = top;
    } else if top >= 0 {
        links[index].partner = top;
        links[top].partner = i32(index);
        links[index].parent = top_before(part, local, 1u);
    }
}
