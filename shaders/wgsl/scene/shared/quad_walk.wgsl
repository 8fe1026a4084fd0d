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
// | links  | read                 | -               | read            | 1         |
// | chain  | boxes of chains      | -               | links of chains | 2 a round |
// | after  | boxes after each quad| boxes below top | begins and link | 2         |
// | walk   | boxes of chains      | boxes below top | begins and link | 1         |

#import aabb
#import box_pool
#import depth_pool
#import grid
#import quad
#import quad_pool
#import quad_stack

// The elements of a quad.
struct Walked {
    quad: u32,
    // The last earlier quad that leaves the level below the quad's minimum open, or -1.
    source: i32,
    // The clip box after a begin or an end, which may be inverted, or the clipped box of a leaf.
    boxes: array<vec4<f32>, QUAD_LENGTH>,
    // The innermost open begin, as an index into the node stream, or -1. After an end.
    parents: array<i32, QUAD_LENGTH>,
    // For an end, its begin as an index into the node stream, or -1. -1 for other elements.
    partners: array<i32, QUAD_LENGTH>,
    // For an end, the position of its begin, packed by pack_cursor(). 0 for other elements.
    begin_cursors: array<u32, QUAD_LENGTH>,
}

fn walk_quad(part: u32, local: u32) -> Walked {
    let first = part * PARTITION_LENGTH + QUAD_LENGTH * local;
    let first_node = summaries[part].first_node;
    let before = Before(part, first_node, summaries[part].bic.a);
    let quad = summaries[part].packed_quads[local];
    let begins = begins_of(quad);
    let ends = ends_of(quad);
    let leaves = leaves_of(quad);
    var boxes: array<vec4<f32>, QUAD_LENGTH>;
    #repeat i 4
    boxes[$i] = EMPTY;
    if (((begins | leaves) >> $i) & 1u) != 0u {
        boxes[$i] = element_boxes[first + $i];
    }
    #endrepeat

    // Stacks: the begins that each quad leaves open, and the tree of the quads' minimum depths.
    let own = stack_of_quad(begins, ends);
    let lowest = lowest_of(quad);
    quads[local] = quad;
    tops[local] = own.open;
    build_depths(local, lowest);

    // Links: below its own begins, the stack of a quad continues at the last earlier quad that
    // leaves the next level open.
    var link = Cursor(0u, u32(-min(lowest, 0)));
    let source = last_below(local, lowest);
    if source >= 0 {
        link = Cursor(tops[source], u32(source));
        let n_kept = u32(lowest - lowest_of(quads[source]));
        #repeat i 3
        if countOneBits(link.open) > n_kept {
            link.open = without_top(link.open);
        }
        #endrepeat
    }

    // Chain: the clip box at the link, and the next link of the chain. By pointer jumping, the box
    // is the intersection over 2^r links of the chain after round r. The first barrier ends the
    // phase *links*, which reads `tops`.
    var chain_box = EMPTY;
    var chain_link = -1;
    if link.open == 0u {
        chain_box = box_before(before, link.index);
    } else {
        chain_box = box_of_open(part, link.index, link.open);
        chain_link = source;
    }
    workgroupBarrier();
    for (var reached = 1u; reached < summaries[part].n_levels; reached <<= 1u) {
        set_pool_box(local, chain_box);
        tops[local] = u32(chain_link);
        workgroupBarrier();
        if chain_link >= 0 {
            chain_box = meet(pool_box(u32(chain_link)), chain_box);
            chain_link = i32(tops[chain_link]);
        }
        workgroupBarrier();
    }
    // After: the clip box after the quad, which applies before the next quad, and the one below its
    // top begin, which most ends need.
    var after_box = chain_box;
    #repeat i 4
    if ((own.open >> $i) & 1u) != 0u {
        after_box = meet(after_box, boxes[$i]);
    }
    #endrepeat
    var below_top = chain_box;
    #repeat i 3
    if (own.open >> ($i + 1u)) != 0u && ((own.open >> $i) & 1u) != 0u {
        below_top = meet(below_top, boxes[$i]);
    }
    #endrepeat
    set_pool_box(local, after_box);
    set_pool_box(WORKGROUP_SIZE + local, below_top);
    tops[local] = own.open | (pack_cursor(link) << 4u);
    workgroupBarrier();
    var cursor = Cursor(0u, 0u);
    var outer_box = EMPTY;
    if local > 0u {
        let top = tops[local - 1u];
        cursor = Cursor(top & ALL_OF_QUAD, local - 1u);
        if cursor.open == 0u {
            cursor = link_of(top);
        }
        outer_box = pool_box(local - 1u);
    } else {
        outer_box = box_before(before, 0u);
    }
    workgroupBarrier();
    set_pool_box(local, chain_box);
    workgroupBarrier();

    // Walk: `stack` contains the begins that the quad has pushed, and the cursor is the position
    // below them.
    var outer_begin = begin_at(before, cursor);
    var clip_box = outer_box;
    var stack = 0u;
    // For each element: the clip box after it, or the clipped box of a leaf, in place of its own
    // box; its parent; for an end, its begin and the position of the begin.
    var parents: array<i32, QUAD_LENGTH>;
    var partners: array<i32, QUAD_LENGTH>;
    var begin_cursors: array<u32, QUAD_LENGTH>;
    #repeat i 4
    begin_cursors[$i] = 0u;
    partners[$i] = -1;
    if ((ends >> $i) & 1u) != 0u {
        if stack != 0u {
            let top = firstLeadingBit(stack);
            partners[$i] = i32(first_node + rank_in_partition(quad, top));
            begin_cursors[$i] = pack_cursor(Cursor(1u << top, local));
            stack ^= 1u << top;
            clip_box = outer_box;
            let under = firstLeadingBit(stack);
            #repeat j 3
            if $j < $i && under == $j {
                clip_box = boxes[$j];
            }
            #endrepeat
        } else {
            partners[$i] = outer_begin;
            begin_cursors[$i] = pack_cursor(cursor);
            if cursor.open == 0u {
                cursor.index += 1u;
                outer_box = box_before(before, cursor.index);
            } else {
                let top = tops[cursor.index];
                let is_whole = cursor.open == (top & ALL_OF_QUAD);
                cursor.open = without_top(cursor.open);
                if is_whole {
                    outer_box = pool_box(WORKGROUP_SIZE + cursor.index);
                } else {
                    outer_box = meet(pool_box(cursor.index), box_of_open(part, cursor.index, cursor.open));
                }
                if cursor.open == 0u {
                    cursor = link_of(top);
                }
            }
            outer_begin = begin_at(before, cursor);
            clip_box = outer_box;
        }
    }
    parents[$i] = outer_begin;
    if stack != 0u {
        parents[$i] = i32(first_node + rank_in_partition(quad, firstLeadingBit(stack)));
    }
    if ((leaves >> $i) & 1u) != 0u {
        boxes[$i] = canonical(meet(clip_box, boxes[$i]));
    } else {
        if ((begins >> $i) & 1u) != 0u {
            clip_box = meet(clip_box, boxes[$i]);
            stack |= 1u << $i;
        }
        boxes[$i] = clip_box;
    }
    #endrepeat
    return Walked(quad, source, boxes, parents, partners, begin_cursors);
}
