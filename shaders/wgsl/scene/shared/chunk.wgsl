// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Chunk, chunk, has_entry, has_source

// The parts of a scene's arrays that a dispatch binds, if they are larger than a storage binding.
// Arrays with items per partition begin with the first partition of the chunk, so their indices are
// relative to it. Ends are exclusive. The Rust struct `Chunk` has the same layout.
struct Chunk {
    // The partitions that have workgroups.
    first_partition: u32,
    end_partition: u32,
    // The partitions whose data these workgroups read.
    first_source: u32,
    end_source: u32,
    // The entries of the node stream. The entries of one more partition are bound beyond the end:
    // if the first entry of a partition is in the chunk, then all its entries are bound.
    first_entry: u32,
    end_entry: u32,
}

#ifdef chunked
@group(0) @binding(9) var<uniform> chunk: Chunk;
#else
// The whole scene.
const chunk = Chunk(0u, 0xffffffffu, 0u, 0xffffffffu, 0u, 0xffffffffu);
#endif

fn has_source(part: u32) -> bool {
    return part >= chunk.first_source && part < chunk.end_source;
}

fn has_entry(index: u32) -> bool {
    return index >= chunk.first_entry && index < chunk.end_entry;
}
