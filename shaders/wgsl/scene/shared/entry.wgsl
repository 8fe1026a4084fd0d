// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: PartitionEntry

// The clip under which a partition begins to be read below its own slice: the intersection of begins that are open beneath
// it, as far as `link` does not stand for them, the partition whose slice and entry are still to be met. -1 for none.
// boxwood_layout::PartitionEntry has the same layout.
struct PartitionEntry {
    clip_box: vec4<f32>,
    link: i32,
}
