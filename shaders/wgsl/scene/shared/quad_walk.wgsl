// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: element_boxes, summaries
// provides: Walked, walk_quad

// The stack around each element of a partition of 1024 elements. An invocation walks the four
// elements of its quad.
//
// The pool has two halves of 256 vectors, P0 and P1. `tops` is a word per quad.
//
// | phase  | P0                   | P1              | tops            | barriers  |
// |--------|----------------------|-----------------|-----------------|-----------|
// | stacks | tree of depths       | -               | open begins     | 4         |
// | bases  | read                 | -               | read            | 1         |
// | chain  | boxes of chains      | -               | bases of chains | 2 a round |
// | after  | boxes after each quad| boxes below top | begins and base | 2         |
// | walk   | boxes of chains      | boxes below top | begins and base | 1         |

#import aabb
#import box_pool
#import grid
#import quad
#import quad_pool
#import quad_stack

const DEPTHS_AT = 0u;

fn leaf_depth(quad: u32) -> i32 {
    return lowest_of(quads[quad]);
}

#import depth_pool

// The elements of a quad.
struct Walked {
    quad: u32,
    // The position on the stack below its own begins.
    base: Cursor,
    // The clip box after a begin or an end, or the clipped box of a leaf. May be inverted.
    boxes: array<vec4<f32>, QUAD_LENGTH>,
    // The innermost open begin, as an index into the node stream, or -1. For an end, the innermost
    // begin that is open after it.
    parents: array<i32, QUAD_LENGTH>,
    // For an end, its begin as an index into the node stream, or -1. -1 for other elements.
    partners: array<i32, QUAD_LENGTH>,
    // For an end, the position of its begin, packed by pack_cursor(). Other elements have 0, which
    // is also a valid position.
    begin_cursors: array<u32, QUAD_LENGTH>,
}

// Phase "bases": the position on the stack below the quad's own begins. It is in the last earlier
// quad that leaves the next lower level open, or before the partition.
fn base_of_quad(local: u32, lowest: i32) -> Cursor {
    var cursor = Cursor(0u, u32(-min(lowest, 0)));
    let source = last_below(local, lowest);
    if source >= 0 {
        cursor = Cursor(tops[source], u32(source));
        // A quad leaves at most four begins open. The source keeps at least one, since its lowest
        // level is below `lowest`, so that at most three are popped.
        let n_kept = u32(lowest - lowest_of(quads[source]));
        #repeat i 3
        if countOneBits(cursor.open) > n_kept {
            cursor.open = without_top(cursor.open);
        }
        #endrepeat
    }
    return cursor;
}

// Phase "chain": the clip box at the base. After round r of pointer jumping, `box` is the
// intersection over 2^r bases. The first barrier ends the phase "bases", which reads `tops` and P0.
fn box_at_base(before: Before, local: u32, base: Cursor) -> vec4<f32> {
    var box = EMPTY;
    var next = quad_of(base);
    if next < 0 {
        box = box_before(before, base.index);
    } else {
        box = box_of_open(before.part, base.index, base.open);
    }
    workgroupBarrier();
    for (var n_bases = 1u; n_bases < summaries[before.part].n_levels; n_bases <<= 1u) {
        set_pool_box(local, box);
        tops[local] = u32(next);
        workgroupBarrier();
        if next >= 0 {
            box = meet(pool_box(u32(next)), box);
            next = i32(tops[next]);
        }
        workgroupBarrier();
    }
    return box;
}

// Phase "after": shares two clip boxes. The first is the clip box after the quad, which is also the
// one before the next quad. The second is the one below its top begin, which most ends need.
// `chain_box` is the clip box below the begins `open` that the quad leaves open. Ends with a
// barrier.
fn share_boxes(local: u32, chain_box: vec4<f32>, open: u32, boxes: array<vec4<f32>, QUAD_LENGTH>) {
    var after_box = chain_box;
    var below_top = chain_box;
    #repeat i 4
    if ((open >> $i) & 1u) != 0u {
        below_top = after_box;
        after_box = meet(after_box, boxes[$i]);
    }
    #endrepeat
    set_pool_box(local, after_box);
    set_pool_box(WORKGROUP_SIZE + local, below_top);
    workgroupBarrier();
}

// The stack below the begins that a quad has pushed.
struct Outside {
    cursor: Cursor,
    // The top begin, as an index into the node stream, or -1.
    begin: i32,
    // The clip box that applies there.
    box: vec4<f32>,
}

// The stack before the quad.
fn outside_of(before: Before, local: u32) -> Outside {
    if local == 0u {
        let cursor = Cursor(0u, 0u);
        return Outside(cursor, begin_at(before, cursor), box_before(before, 0u));
    }
    let top = tops[local - 1u];
    var cursor = Cursor(top & ALL_OF_QUAD, local - 1u);
    if cursor.open == 0u {
        cursor = base_of(top);
    }
    return Outside(cursor, begin_at(before, cursor), pool_box(local - 1u));
}

// The stack without its top begin.
fn popped(before: Before, outside: Outside) -> Outside {
    var cursor = outside.cursor;
    var box = EMPTY;
    if cursor.open == 0u {
        cursor.index += 1u;
        box = box_before(before, cursor.index);
    } else {
        let top = tops[cursor.index];
        // Phase "after" has shared the box below the top, if all begins of the quad are still open.
        let is_whole = cursor.open == (top & ALL_OF_QUAD);
        cursor.open = without_top(cursor.open);
        if is_whole {
            box = pool_box(WORKGROUP_SIZE + cursor.index);
        } else {
            box = meet(pool_box(cursor.index), box_of_open(before.part, cursor.index, cursor.open));
        }
        if cursor.open == 0u {
            cursor = base_of(top);
        }
    }
    return Outside(cursor, begin_at(before, cursor), box);
}

// Phase "walk": the elements of a quad with their own boxes. `stack` contains the begins that the
// quad has pushed.
fn walk_elements(
    before: Before,
    local: u32,
    quad: u32,
    base: Cursor,
    start: Outside,
    own_boxes: array<vec4<f32>, QUAD_LENGTH>,
) -> Walked {
    var walked: Walked;
    walked.quad = quad;
    walked.base = base;
    var outside = start;
    var clip_box = outside.box;
    var stack = 0u;
    #repeat i 4
    walked.partners[$i] = -1;
    walked.begin_cursors[$i] = 0u;
    if ((ends_of(quad) >> $i) & 1u) != 0u {
        if stack != 0u {
            let top = firstLeadingBit(stack);
            walked.partners[$i] = i32(before.first_entry + rank_in_partition(quad, top));
            walked.begin_cursors[$i] = pack_cursor(Cursor(1u << top, local));
            stack ^= 1u << top;
            clip_box = outside.box;
            let under = firstLeadingBit(stack);
            // An index that is not a constant would put the array in memory.
            #repeat j 3
            if $j < $i && under == $j {
                clip_box = walked.boxes[$j];
            }
            #endrepeat
        } else {
            walked.partners[$i] = outside.begin;
            walked.begin_cursors[$i] = pack_cursor(outside.cursor);
            outside = popped(before, outside);
            clip_box = outside.box;
        }
    }
    walked.parents[$i] = outside.begin;
    if stack != 0u {
        walked.parents[$i] = i32(before.first_entry + rank_in_partition(quad, firstLeadingBit(stack)));
    }
    if ((leaves_of(quad) >> $i) & 1u) != 0u {
        walked.boxes[$i] = meet(clip_box, own_boxes[$i]);
    } else {
        if ((begins_of(quad) >> $i) & 1u) != 0u {
            clip_box = meet(clip_box, own_boxes[$i]);
            stack |= 1u << $i;
        }
        walked.boxes[$i] = clip_box;
    }
    #endrepeat
    return walked;
}

// All phases. Needs a barrier before the next write to `pool`, `tops`, or the clip boxes and begins
// before the partition.
fn walk_quad(part: u32, local: u32) -> Walked {
    let first = part * PARTITION_LENGTH + QUAD_LENGTH * local;
    let before = Before(part, summaries[part].first_entry, summaries[part].bic.a);
    let quad = summaries[part].packed_quads[local];
    var own_boxes: array<vec4<f32>, QUAD_LENGTH>;
    #repeat i 4
    own_boxes[$i] = EMPTY;
    if (((begins_of(quad) | leaves_of(quad)) >> $i) & 1u) != 0u {
        own_boxes[$i] = element_boxes[first + $i];
    }
    #endrepeat

    // Phase "stacks": the begins that each quad leaves open, and the tree of the quads' minimum
    // depths.
    let open = stack_of_quad(begins_of(quad), ends_of(quad)).open;
    quads[local] = quad;
    tops[local] = open;
    build_depths(local);

    let base = base_of_quad(local, lowest_of(quad));
    let chain_box = box_at_base(before, local, base);
    tops[local] = open | (pack_cursor(base) << 4u);
    share_boxes(local, chain_box, open, own_boxes);
    // Reads the boxes after the quads, which the boxes of chains then replace.
    let outside = outside_of(before, local);
    workgroupBarrier();
    set_pool_box(local, chain_box);
    workgroupBarrier();
    return walk_elements(before, local, quad, base, outside, own_boxes);
}
