// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused for small scenes, stitching: the node stream, the ranks, and the group boxes of the
// nodes that cross partitions or have no end. The leaves of such a node are those in the rest of
// the partition of its begin, in whole partitions, and in the front of the partition of its end
// (Levien 2022, section 6.2).

#import aabb
#import bic
#import config
#import grid
#import entry
#import small_partition

@group(0) @binding(1) var<storage> small_summaries: array<SmallSummary>;
@group(0) @binding(2) var<storage> small_partitions: array<SmallPartition>;
@group(0) @binding(3) var<storage, read_write> entries: array<i32>;
@group(0) @binding(4) var<storage, read_write> ranks: array<u32>;
@group(0) @binding(5) var<storage, read_write> links: array<EntryLink>;
@group(0) @binding(6) var<storage, read_write> group_boxes: array<vec4<f32>>;

// Alternating halves. The unions of the leaves in the partitions from each one up to the
// workgroup's own, or up to the last one for partitions after the workgroup's own.
var<workgroup> total_boxes: array<vec4<f32>, 2u * WORKGROUP_SIZE>;
// Alternating halves. The bicyclic sums of the partitions starting at each one, for partitions
// after the workgroup's own.
var<workgroup> bics: array<Bic, 2u * WORKGROUP_SIZE>;

fn bic_at(half: u32, local: u32) -> Bic {
    if local < WORKGROUP_SIZE {
        return bics[half + local];
    }
    return Bic(0u, 0u);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let index = part * WORKGROUP_SIZE + local;
    let rank_and_kind = small_partitions[part].ranks[local];
    let crossing = small_partitions[part].begins[local];
    let place = rank_and_kind & 0x3fffffffu;
    let kind = rank_and_kind >> 30u;
    if index < config.n_elements {
        ranks[index] = place;
        if kind != 0u {
            entries[place] = select(~i32(index), i32(index), kind == KIND_BEGIN);
        }
    }
    let begin = crossing & 0xffffu;
    var group_box = EMPTY;
    if crossing != NO_CROSSING {
        group_box = join(group_boxes[begin], group_boxes[place]);
    }
    var total_box = EMPTY;
    var bic = Bic(0u, 0u);
    if local < config.n_partitions && local != part {
        total_box = small_summaries[local].total_box;
        if local > part {
            bic = small_summaries[local].bic;
        }
    }
    let own_bic = small_summaries[part].bic;
    let first_entry = small_summaries[part].first_entry;

    // No range extends across the workgroup's own partition: beyond the last partition before it,
    // or the last one of all, that partition is used again, which does not change a union.
    let last = select(WORKGROUP_SIZE - 1u, max(part, 1u) - 1u, local < part);
    var half = 0u;
    total_boxes[local] = total_box;
    bics[local] = bic;
    workgroupBarrier();
    for (var length = 1u; length < config.n_partitions; length *= 4u) {
        let at = half + min(vec3(local) + vec3(1u, 2u, 3u) * length, vec3(last));
        total_box = join(
            join(total_box, total_boxes[at.x]),
            join(total_boxes[at.y], total_boxes[at.z]),
        );
        bic = bic_then(bic, bic_at(half, local + length));
        bic = bic_then(bic, bic_then(bic_at(half, local + 2u * length), bic_at(half, local + 3u * length)));
        half ^= WORKGROUP_SIZE;
        total_boxes[half + local] = total_box;
        bics[half + local] = bic;
        workgroupBarrier();
    }

    // The begins without an end are the lowest of the slice.
    if local < own_bic.b && part + 1u < config.n_partitions {
        let open = first_entry + small_partitions[part].slice[local];
        let is_unclosed = local < own_bic.b - min(own_bic.b, bics[half + part + 1u].a);
        // Entries that the caller has not announced have no group box.
        if is_unclosed && open < config.n_entries {
            group_boxes[open] = join(group_boxes[open], total_boxes[half + part + 1u]);
        }
    }
    if crossing != NO_CROSSING {
        let source = crossing >> 16u;
        if source + 1u < part {
            group_box = join(group_box, total_boxes[half + source + 1u]);
        }
        group_boxes[begin] = group_box;
        group_boxes[place] = group_box;
        links[begin].partner = i32(place);
    }
}
