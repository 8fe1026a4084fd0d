// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_up, 1 of 4: for each entry of the node stream, the product of the values from it to
// the end of its partition of 256 entries, in order. Levien 2022, section 9, reverse scan of the
// union.
//
// For a begin that the partition leaves open, this is the part of its node that lies in the
// partition. The first entry has the product of the whole partition.

#import config
#import grid
#import monoid
#import tree_values

@group(0) @binding(3) var<storage, read_write> suffix_products: array<Value>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let index = part * WORKGROUP_SIZE + local;
    let is_in_stream = index < config.n_entries;
    let partition_end = min((part + 1u) * WORKGROUP_SIZE, config.n_entries);
    var product = value_at(index);
    if is_in_stream {
        suffix_products[index] = product;
    }
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        storageBarrier();
        if index + stride < partition_end {
            product = combine(product, suffix_products[index + stride]);
        }
        storageBarrier();
        if is_in_stream {
            suffix_products[index] = product;
        }
    }
}
