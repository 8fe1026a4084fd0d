// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage clip, 2 of 3: the clip box at every entry of the node stream. Levien 2022, sections 6.1 and
// 9, second dispatch, for any depth of the stack.
//
// 1. scan_partitions: the bicyclic sums of the earlier partitions, in reverse.
// 2. scan_entry_boxes: each earlier partition contributes the intersection of the begins in its
//    slice that are still open, which is one box of the scan of the first dispatch. These boxes are
//    scanned in turn.
// 3. follow_parents: inside the partition, an entry gathers its ancestors by pointer jumping.
// 4. The chain of parents leaves the partition at a begin in a slice. The boxes outside are that of
//    this begin in its slice, and that of the partitions before.

#import aabb
#import begin_element
#import bic
#import box_scan
#import config
#import grid
#import entry
#import suffix_bics

@group(0) @binding(1) var<storage> entries: array<i32>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> partition_bics: array<Bic>;
@group(0) @binding(4) var<storage> slices: array<u32>;
@group(0) @binding(5) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage> links: array<EntryLink>;
@group(0) @binding(7) var<storage, read_write> clip_boxes: array<vec4<f32>>;
// Emptied for the next dispatch, which fills them.
@group(0) @binding(8) var<storage, read_write> run_boxes: array<vec4<i32>>;

#import slice_search

var<workgroup> chain_boxes: array<vec4<f32>, WORKGROUP_SIZE>;
var<workgroup> chain_links: array<i32, WORKGROUP_SIZE>;

// Fills `scanned_boxes`: for each earlier partition, the intersection of the begins in it and
// before it that are still open at the start of this partition. The caller's next barrier makes the
// boxes visible to other invocations.
fn scan_entry_boxes(local: u32, n_slice: u32) {
    let n_closed = suffix_bic(local + 1u).a;
    var entry_box = PLANE;
    if n_slice > n_closed {
        entry_box = slice_boxes[slices[local * WORKGROUP_SIZE + n_slice - n_closed - 1u]];
    }
    scan_boxes(local, entry_box);
}

// A box, and the next ancestor to gather, or -1.
struct Chain {
    box: vec4<f32>,
    link: i32,
}

// Gathers the ancestors of each entry as long as they are in the partition, which starts at
// `first`.
fn follow_parents(first: i32, local: u32, own: Chain) -> Chain {
    var chain = own;
    chain_boxes[local] = chain.box;
    chain_links[local] = chain.link;
    // After round r, `chain` has gathered up to 2^r entries.
    for (var round = 0u; round < LG_WORKGROUP_SIZE; round++) {
        workgroupBarrier();
        if chain.link >= first {
            let ancestor = chain.link - first;
            chain = Chain(meet(chain_boxes[ancestor], chain.box), chain_links[ancestor]);
        }
        workgroupBarrier();
        chain_boxes[local] = chain.box;
        chain_links[local] = chain.link;
    }
    return chain;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let own_bic = scan_partitions(part, local);
    scan_entry_boxes(local, own_bic.b);

    let index = part * WORKGROUP_SIZE + local;
    var own = Chain(PLANE, -1);
    if index < config.n_entries {
        let entry = entries[index];
        if entry_is_begin(entry) {
            own.box = element_boxes[element_of(entry)];
        }
        own.link = links[index].parent;
    }
    let chain = follow_parents(i32(part * WORKGROUP_SIZE), local, own);
    if index >= config.n_entries {
        return;
    }
    var box = chain.box;
    if chain.link >= 0 {
        box = meet(slice_boxes[chain.link], box);
        let source = u32(chain.link) / WORKGROUP_SIZE;
        if source > 0u {
            box = meet(scanned_boxes[source - 1u], box);
        }
    }
    clip_boxes[index] = canonical(box);
    run_boxes[index] = ordered_from_f32(EMPTY);
}
