// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: LinkedDepth

// A PartitionDepth of shared/spine.wgsl with a link to an earlier partition.
struct LinkedDepth {
    // The depth before the first entry of the partition.
    start: i32,
    // The minimum depth in the partition, including `start`.
    lowest: i32,
    // The last earlier partition in the same group of 256 with a lower minimum depth, or -1.
    link: i32,
}
