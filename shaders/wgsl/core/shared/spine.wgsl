// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: DEEPEST, LinkedDepth, PartitionDepth

// A partition of the node stream in terms of absolute depth, which is the number of begins minus
// the number of ends before a position, and may be negative.
struct PartitionDepth {
    // The depth before the first entry of the partition.
    start: i32,
    // The minimum depth in the partition, including `start`. The slice of the partition begins at
    // this level: slot t holds the begin that leads from depth lowest + t to the next.
    lowest: i32,
}

// A PartitionDepth with a link to an earlier partition.
struct LinkedDepth {
    // The depth before the first entry of the partition.
    start: i32,
    // The minimum depth in the partition, including `start`.
    lowest: i32,
    // The last earlier partition in the same group of 256 with a lower minimum depth, or -1.
    link: i32,
}

const DEEPEST = 0x7fffffff;
