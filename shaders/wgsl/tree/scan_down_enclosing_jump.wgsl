// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_down, 3 of 4, in rounds: pointer jumping from group to group along the chains of
// scan_down_enclosing.wgsl. After round r, an enclosing product has gathered LINKS_PER_ROUND^r
// links that leave a group. The rounds alternate between two pairs of buffers.

#import config
#import grid
#import jump
#import monoid

@group(0) @binding(1) var<storage> products_before: array<Value>;
@group(0) @binding(2) var<storage> links_before: array<i32>;
@group(0) @binding(3) var<storage, read_write> products_after: array<Value>;
@group(0) @binding(4) var<storage, read_write> links_after: array<i32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if part >= config.n_partitions {
        return;
    }
    var product = products_before[part];
    var link = links_before[part];
    for (var n_links = 1u; n_links < LINKS_PER_ROUND && link >= 0; n_links++) {
        product = combine(products_before[link], product);
        link = links_before[link];
    }
    products_after[part] = product;
    links_after[part] = link;
}
