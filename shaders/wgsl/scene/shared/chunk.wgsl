// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: chunk
// provides: Chunk, has_node, has_source

// Which parts of a scene's arrays are bound, where they are larger than a binding. Of what belongs to partitions, the bound part
// begins with the first partition of the window, so indices count from there. Needs the binding `window`.

// boxwood_layout::Window has the same layout. Each end is that of the last, plus one.
struct Chunk {
    // The partitions that have the workgroups.
    first_partition: u32,
    end_partition: u32,
    // The partitions that these look into.
    first_source: u32,
    end_source: u32,
    // The entries of the node stream. A partition's worth beyond the end is bound too: a partition whose first entry is in the
    // window has all of its entries bound.
    first_node: u32,
    end_node: u32,
}

fn has_source(part: u32) -> bool {
    return part >= chunk.first_source && part < chunk.end_source;
}

fn has_node(index: u32) -> bool {
    return index >= chunk.first_node && index < chunk.end_node;
}
