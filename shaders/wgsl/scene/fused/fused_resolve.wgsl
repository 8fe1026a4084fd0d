// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_resolve
// shader: fused_resolve_chunked: chunked

// Stage fused, results: the links and the clip box of every entry of the node stream, the clipped
// box of every leaf, and the group box of every node that begins and ends in the partition. For the
// other nodes, the union of their leaves in this partition. An invocation walks the four elements
// of its quad.
//
// The pool has two halves of 256 vectors, P0 and P1. `tops` is a word per quad.
//
// | phase        | P0                            | P1              | tops             | barriers |
// |--------------|-------------------------------|-----------------|------------------|----------|
// | stacks       | tree of depths                | -               | open begins      | 4        |
// | links        | read                          | -               | read             | 1        |
// | chain        | boxes of chains               | -               | links of chains  | 2 a round|
// | after        | boxes after each quad         | boxes below top | begins and link  | 3        |
// | walk         | boxes of chains               | boxes below top | begins and link  | 1        |
// | store boxes  | clip boxes of half a partition, in P0 and P1    | -                | 4        |
// | partners     | ends of the begins            | -               | -                | 4        |
// | store links  | parents                       | partners        | -                | 2        |
// | unions       | unions of 1, 2, 4 ... quads, alternately in P0 and P1 | -          | 8        |
// | contents     | unions since the link         | -               | -                | 1        |
// | store groups | group boxes of half a partition, in P0 and P1   | -                | 6        |

#import aabb
#import box_pool
#import config
#import depth_pool
#import grid
#import node
#import quad
#import quad_pool
#import summary

@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> crossings: array<PartitionCrossings>;
@group(0) @binding(4) var<storage, read_write> links: array<NodeLink>;
@group(0) @binding(5) var<storage, read_write> clip_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
// Until the walk, entry d of the partition contains the clip box d levels below the top of the
// stack before it. With `chunked`, element d of the clipped boxes contains it.
@group(0) @binding(7) var<storage, read_write> group_boxes: array<vec4<f32>>;
#ifdef chunked
#import chunk
@group(0) @binding(8) var<storage, read_write> union_tree: array<vec4<f32>>;
#endif

#import quad_stack

// The quads in half a partition. The pool has room for one box per element of these.
const HALF = WORKGROUP_SIZE / 2u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let first = part * PARTITION_LENGTH + QUAD_LENGTH * local;
    let first_node = summaries[part].first_node;
    let n_nodes = summaries[part].n_nodes;
#ifdef chunked
    if !has_node(first_node) {
        return;
    }
    let first_in_chunk = first_node - chunk.first_node;
#else
    let first_in_chunk = first_node;
#endif
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

    // The clip boxes in the group boxes have been read, and the group boxes may be overwritten. The
    // barrier is cheap here, because there are no stores before it.
    storageBarrier();

    // Store boxes: clip boxes through the pool, so that adjacent invocations store adjacent items.
    for (var half_start = 0u; half_start < WORKGROUP_SIZE; half_start += HALF) {
        let from_node = nodes_before(half_start, n_nodes);
        let to_node = nodes_before(half_start + HALF, n_nodes);
        workgroupBarrier();
        if local / HALF == half_start / HALF {
            #repeat i 4
            if ((nodes_of(quad) >> $i) & 1u) != 0u {
                set_pool_box(box_place(rank_in_partition(quad, $i) - from_node), canonical(boxes[$i]));
            }
            #endrepeat
        }
        workgroupBarrier();
        for (var slot = local; slot < to_node - from_node; slot += WORKGROUP_SIZE) {
            clip_boxes[first_in_chunk + from_node + slot] = pool_box(box_place(slot));
        }
    }
    #repeat i 4
    if ((leaves >> $i) & 1u) != 0u {
        clipped_boxes[first + $i] = boxes[$i];
    } else {
        boxes[$i] = EMPTY;
    }
    #endrepeat

    // Partners: each end stores its index at its begin, if that is in the partition. The begins of
    // a quad are the vector at its index.
    workgroupBarrier();
    pool[local] = vec4(-1);
    workgroupBarrier();
    #repeat i 4
    {
        let begin = unpack_cursor(begin_cursors[$i]);
        if ((ends >> $i) & 1u) != 0u && begin.open != 0u {
            pool[begin.index][firstLeadingBit(begin.open)] = i32(first_node + rank_in_partition(quad, $i));
        }
    }
    #endrepeat
    workgroupBarrier();
    let ends_of_begins = pool[local];
    workgroupBarrier();
    #repeat i 4
    if ((begins >> $i) & 1u) != 0u {
        partners[$i] = ends_of_begins[$i];
    }
    #endrepeat

    // Store links: parents in P0 and partners in P1, so that adjacent invocations store adjacent
    // items.
    #repeat i 4
    if ((nodes_of(quad) >> $i) & 1u) != 0u {
        let place = integer_place(rank_in_partition(quad, $i));
        pool[place / 4u][place % 4u] = parents[$i];
        pool[WORKGROUP_SIZE + place / 4u][place % 4u] = partners[$i];
    }
    #endrepeat
    workgroupBarrier();
    for (var slot = local; slot < n_nodes; slot += WORKGROUP_SIZE) {
        let place = integer_place(slot);
        let partner = pool[WORKGROUP_SIZE + place / 4u][place % 4u];
        links[first_in_chunk + slot] = NodeLink(pool[place / 4u][place % 4u], partner);
    }
    workgroupBarrier();

    // Unions: in round r, the union of the 2^r quads up to each one, alternately in the two halves
    // of the pool. Any range is covered by two such unions, possibly overlapping: the range from
    // after the link up to the quad, and for nodes that do not end in the partition, the range of
    // all later quads.
    let own_box = join(join(boxes[0], boxes[1]), join(boxes[2], boxes[3]));
    var unclosed = 0u;
    #repeat i 4
    unclosed |= select(0u, begins & (1u << $i), partners[$i] < 0);
    #endrepeat
    // If the link is outside of the partition, the range of the last quad has 256 quads. Nothing
    // uses that union.
    let n_since = u32(i32(local) - source);
    let n_rest = select(0u, WORKGROUP_SIZE - 1u - local, unclosed != 0u);
    var row_box = own_box;
    var since_link = own_box;
    var rest = EMPTY;
    var half = 0u;
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 2u) {
        set_pool_box(half + local, row_box);
        workgroupBarrier();
        if n_since / length == 1u {
            since_link = join(row_box, pool_box(half + u32(source) + length));
        }
        if n_rest / length == 1u {
            rest = join(pool_box(half + local + length), pool_box(half + WORKGROUP_SIZE - 1u));
        }
        if local >= length {
            row_box = join(row_box, pool_box(half + local - length));
        }
        half ^= WORKGROUP_SIZE;
    }
    if local == WORKGROUP_SIZE - 1u {
#ifdef chunked
        union_tree[config.n_tree_leaves + chunk.first_partition + part] = row_box;
#else
        crossings[part].total_box = row_box;
#endif
    }
    if unclosed != 0u {
        #repeat i 4 down
        rest = join(rest, boxes[$i]);
        if ((unclosed >> $i) & 1u) != 0u {
            boxes[$i] = rest;
        }
        #endrepeat
    }
    set_pool_box(local, since_link);
    workgroupBarrier();

    // Contents: the leaves of a node are in the rest of its begin's quad, in the quads in between,
    // and in the front of its end's quad. At an end, the union of the last two.
    var between = EMPTY;
    var reached = i32(local) - 1;
    var prefix = EMPTY;
    #repeat i 4
    if ((ends >> $i) & 1u) != 0u {
        let begin = unpack_cursor(begin_cursors[$i]);
        if begin.open != 0u && begin.index == local {
            #repeat j 4
            if $j < $i && $j > firstLeadingBit(begin.open) {
                boxes[$i] = join(boxes[$i], boxes[$j]);
            }
            #endrepeat
        } else {
            let reaches = select(-1, i32(begin.index), begin.open != 0u);
            if reaches != reached {
                between = join(between, pool_box(u32(reached)));
                reached = reaches;
            }
            boxes[$i] = join(between, prefix);
            if begin.open == 0u {
                // The begin is before the partition, or there is none.
                if partners[$i] < 0 {
                    boxes[$i] = EMPTY;
                }
                crossings[part].pairs[begin.index].y = i32(first_node + rank_in_partition(quad, $i));
            }
        }
    }
    prefix = join(prefix, boxes[$i]);
    #endrepeat
    // At a begin, the union of the rest of its quad.
    var suffix = EMPTY;
    #repeat i 4 down
    if (((begins & ~unclosed) >> $i) & 1u) != 0u {
        boxes[$i] = suffix;
    }
    if ((leaves >> $i) & 1u) != 0u {
        suffix = join(suffix, boxes[$i]);
    }
    #endrepeat

    // Store groups, half a partition at a time: its nodes go into the pool. Each end whose begin is
    // there joins the union at the begin with its own and stores the result for both. Then the pool
    // goes into the buffer. A begin is in the same half as its end or in the one before.
    for (var half_start = 0u; half_start < WORKGROUP_SIZE; half_start += HALF) {
        let from_node = nodes_before(half_start, n_nodes);
        let to_node = nodes_before(half_start + HALF, n_nodes);
        workgroupBarrier();
        if local / HALF == half_start / HALF {
            #repeat i 4
            if ((nodes_of(quad) >> $i) & 1u) != 0u {
                set_pool_box(box_place(rank_in_partition(quad, $i) - from_node), boxes[$i]);
            }
            #endrepeat
        }
        workgroupBarrier();
        #repeat i 4
        {
            let begin = unpack_cursor(begin_cursors[$i]);
            if begin.open != 0u && begin.index / HALF == half_start / HALF {
                let begin_node = rank_in_partition(quads[begin.index], firstLeadingBit(begin.open));
                let place = box_place(begin_node - from_node);
                if begin.index != local {
                    boxes[$i] = join(boxes[$i], pool_box(place));
                }
                set_pool_box(place, boxes[$i]);
                if local / HALF == half_start / HALF {
                    set_pool_box(box_place(rank_in_partition(quad, $i) - from_node), boxes[$i]);
                }
            }
        }
        #endrepeat
        workgroupBarrier();
        for (var slot = local; slot < to_node - from_node; slot += WORKGROUP_SIZE) {
            group_boxes[first_in_chunk + from_node + slot] = pool_box(box_place(slot));
        }
    }
}
