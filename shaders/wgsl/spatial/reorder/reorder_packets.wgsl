// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage reorder, packets, 2, after a scan of their numbers: the first query of each packet and the
// one after its last, as places in the new order.

#import grid
#import n_items
#import reorder_config
#import owners

// The packets before those of each key, and their total.
@group(0) @binding(2) var<storage> sums: array<u32>;
@group(0) @binding(3) var<storage> key_ranges: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> packets: array<vec2<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * OUTPUTS_PER_PARTITION;
    let n_keys = n_items();
    let n_packets = sums[n_keys];
    if first >= n_packets {
        return;
    }
    prepare_owners(local, first, n_keys);
    #repeat round 8
    let packet = first + $round * WORKGROUP_SIZE + local;
    if packet < n_packets {
        let place = owner_of(packet);
        let range = key_ranges[place];
        let first_query = range.x + (packet - sums[place]) * PACKET_LENGTH;
        packets[packet] = vec2(first_query, min(first_query + PACKET_LENGTH, range.y));
    }
    #endrepeat
}
