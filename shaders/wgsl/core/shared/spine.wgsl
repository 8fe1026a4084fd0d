// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: DEEPEST, PartitionDepth

// A partition of the node stream in terms of absolute depth, which is the number of begins minus
// the number of ends before a position, and may be negative.
struct PartitionDepth {
    // The depth before the first entry of the partition.
    start: i32,
    // The minimum depth in the partition, including `start`. The slice of the partition begins at
    // this level: slot t holds the begin that leads from depth lowest + t to the next.
    lowest: i32,
}

const DEEPEST = 0x7fffffff;
