// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: clipped_boxes, crossings, element_boxes
// provides: Before, Cursor, base_of, begin_at, box_before, box_of_open, pack_cursor, quad_of
// provides: quads, tops, unpack_cursor, without_top

// The stack of open begins from the point of view of the quads of a partition.

#import aabb
#import grid
#import quad

var<workgroup> quads: array<u32, WORKGROUP_SIZE>;
// First the begins that each quad leaves open, then the quad that its chain of bases leads to, then
// the begins and the base, packed.
var<workgroup> tops: array<u32, WORKGROUP_SIZE>;

// A position on the stack: the top of the begins `open` of quad `index`. If `open` is empty:
// `index` levels below the top of the stack before the partition.
struct Cursor {
    open: u32,
    index: u32,
}

fn pack_cursor(cursor: Cursor) -> u32 {
    return (cursor.index << 4u) | cursor.open;
}

fn unpack_cursor(word: u32) -> Cursor {
    return Cursor(word & ALL_OF_QUAD, word >> 4u);
}

// The quad of a position, or -1 before the partition.
fn quad_of(cursor: Cursor) -> i32 {
    return select(-1, i32(cursor.index), cursor.open != 0u);
}

// The position below the begins that a quad leaves open.
fn base_of(top: u32) -> Cursor {
    return unpack_cursor(top >> 4u);
}

fn without_top(open: u32) -> u32 {
    return open ^ (1u << firstLeadingBit(open));
}

// The intersection of the boxes of the begins `open` of a quad.
fn box_of_open(part: u32, quad: u32, open: u32) -> vec4<f32> {
    let first = part * PARTITION_LENGTH + QUAD_LENGTH * quad;
    var box = PLANE;
    var left = open;
    while left != 0u {
        box = meet(box, element_boxes[first + firstTrailingBit(left)]);
        left &= left - 1u;
    }
    return box;
}

// The stack before the partition, down to the floor of the partition. `height` is the number of
// levels above the floor. It equals the number of ends whose begin is not in the partition.
struct Before {
    part: u32,
    first_entry: u32,
    height: u32,
}

// A clip box that stack_before has stored.
fn stored_box(before: Before, depth: u32) -> vec4<f32> {
#ifdef whole
    return group_boxes[before.first_entry + depth];
#else
    return clipped_boxes[before.part * PARTITION_LENGTH + depth];
#endif
}

// The clip box `depth` levels below the top of that stack.
fn box_before(before: Before, depth: u32) -> vec4<f32> {
    if depth == before.height {
        return crossings[before.part].floor_box;
    }
    return stored_box(before, depth);
}

// The begin at a position on the stack, as an index into the node stream, or -1.
fn begin_at(before: Before, cursor: Cursor) -> i32 {
    if cursor.open == 0u {
        if cursor.index == before.height {
            return crossings[before.part].floor_begin;
        }
        return crossings[before.part].pairs[cursor.index].x;
    }
    return i32(before.first_entry + rank_in_partition(quads[cursor.index], firstLeadingBit(cursor.open)));
}
