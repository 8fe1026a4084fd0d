// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_down, 1 of 4: for each begin in a stack slice, the product of the begins of the slice
// from the outermost to this one, stored at the begin's own index. Levien 2022, section 9, for any
// monoid.
//
// Values can be too large for workgroup memory, so the products stay in storage. Each workgroup
// reads only products that it has written itself, so a storageBarrier is sufficient.

#import bic
#import config
#import grid
#import monoid

@group(0) @binding(1) var<storage> values: array<Value>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> slice_products: array<Value>;

// The begin in each slot of the slice. `link_reduce` of the same recording has written the slice,
// so every begin is an index below `config.n_entries`.
var<workgroup> begins: array<u32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let is_in_slice = local < partition_bics[part].b;
    var index = 0u;
    var product = identity();
    if is_in_slice {
        index = slices[part * WORKGROUP_SIZE + local];
        product = values[index];
        slice_products[index] = product;
    }
    begins[local] = index;
    workgroupBarrier();
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        storageBarrier();
        if is_in_slice && local >= stride {
            product = combine(slice_products[begins[local - stride]], product);
        }
        storageBarrier();
        if is_in_slice {
            slice_products[index] = product;
        }
    }
}
