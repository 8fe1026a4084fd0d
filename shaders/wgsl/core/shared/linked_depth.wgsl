// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: LinkedDepth

// The depths of a partition, as in shared/spine.wgsl, and a link.
struct LinkedDepth {
    // The depth before the first entry of the partition.
    start: i32,
    // The least depth in the partition, that before its first entry included. Its slice begins at
    // this level.
    lowest: i32,
    // The last partition before it in its group of 256 whose least depth is less, -1 if there is
    // none.
    link: i32,
}
