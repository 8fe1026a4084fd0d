// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: DEEPEST, PartitionDepth

// The stack as seen by absolute depth. Depth counts begins less ends, and may be negative.
// boxwood_layout::PartitionDepth has the same layout.
struct PartitionDepth {
    // The depth before the first entry of the partition.
    start: i32,
    // The least depth in the partition, that before its first entry included. Its slice begins at this level: slot t
    // holds the begin that leads from depth lowest + t to the next.
    lowest: i32,
}

const DEEPEST = 0x7fffffff;
