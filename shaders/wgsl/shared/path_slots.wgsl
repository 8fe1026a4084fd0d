// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// The reaches (`path_reach`) of the paths of a partition, joined in workgroup memory.

// Paths that have a slot there: the first. The others' segments are joined at once.
const N_SLOTS = 128u;

// Keys of the four reaches of each such path.
var<workgroup> slots: array<atomic<i32>, 4u * N_SLOTS>;

// The least number of a box as the greatest of its negative, and back: the keys of v and -v are each other's complement. There is
// one 0.
fn negated_key(key: i32) -> i32 {
    return select(~key, 0, key == 0);
}

fn join_globally(path: u32, way: u32, key: i32) {
    if (way & 2u) == 0u {
        atomicMin(&path_keys[N_WAYS * path + way], negated_key(key));
    } else {
        atomicMax(&path_keys[N_WAYS * path + way], key);
    }
}

fn join_way(path: u32, slot: u32, way: u32, key: i32) {
    if slot < N_SLOTS {
        atomicMax(&slots[N_WAYS * slot + way], key);
    } else {
        join_globally(path, way, key);
    }
}

fn join_keys(path: u32, slot: u32, keys: vec4<i32>) {
    join_way(path, slot, 0u, keys.x);
    join_way(path, slot, 1u, keys.y);
    join_way(path, slot, 2u, keys.z);
    join_way(path, slot, 3u, keys.w);
}

// The keys of how far a path is known to reach; of one without a slot nothing is.
fn known_reaches(slot: u32) -> vec4<i32> {
    if slot >= N_SLOTS {
        return vec4(NO_REACH);
    }
    let first = N_WAYS * slot;
    return vec4(
        atomicLoad(&slots[first]),
        atomicLoad(&slots[first + 1u]),
        atomicLoad(&slots[first + 2u]),
        atomicLoad(&slots[first + 3u]),
    );
}
