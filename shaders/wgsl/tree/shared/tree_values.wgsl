// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: entries, value_at, values

// The values of a tree scan, one per entry of the node stream.

#import config
#import monoid
#import entry

@group(0) @binding(1) var<storage> entries: array<i32>;
@group(0) @binding(2) var<storage> values: array<Value>;

// The value of a begin. The identity for an end, and beyond the node stream.
fn value_at(index: u32) -> Value {
    if index < config.n_entries {
        if entry_is_begin(entries[index]) {
            return values[index];
        }
    }
    return identity();
}
