// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: NO_ERROR, WORD_BYTES, partitions
// provides: first_error_of, keep_error, workgroup_error

// The first error of a partition. An error is 32 times its offset in the partition and its reason,
// so that the smaller reason is reported if two errors are at the same byte.

var<workgroup> workgroup_error: atomic<u32>;

// Keeps the error at the first of `bytes` in a word of the partition.
fn keep_error(local_word: u32, bytes: u32, reason: u32) {
    if bytes != 0u {
        let offset = WORD_BYTES * local_word + firstTrailingBit(bytes);
        atomicMin(&workgroup_error, 32u * offset + reason);
    }
}

// The first error of the partition, whose words have kept theirs before a barrier.
fn first_error_of(part: u32) -> u32 {
    let error = atomicLoad(&workgroup_error);
    if error != NO_ERROR {
        atomicMin(&partitions.first_error, part);
    }
    return error;
}
