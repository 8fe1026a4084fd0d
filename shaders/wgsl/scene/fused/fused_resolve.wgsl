// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_resolve: whole
// shader: fused_resolve_chunked: chunked

// Stage fused, results: the links and the clip box of every entry of the node stream, the clipped
// box of every leaf, and the group box of every node that begins and ends in the partition. For the
// other nodes, the union of their leaves in this partition. An invocation has the four elements of
// its quad.
//
// After quad_walk, its pool of two halves, P0 and P1, holds:
//
// | phase        | P0                                       | P1       | barriers |
// |--------------|------------------------------------------|----------|----------|
// | store boxes  | clip boxes of half a partition, in P0 and P1        || 5        |
// | partners     | ends of the begins                       | -        | 4        |
// | store links  | parents                                  | partners | 2        |
// | unions       | unions of 1, 2, 4 ... quads, alternately in P0 and P1 || 8      |
// | contents     | unions since the link                    | -        | 1        |
// | store groups | group boxes of half a partition, in P0 and P1       || 6        |

#import aabb
#import box_pool
#import config
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
#import quad_walk

// A clip box that stack_before has stored.
fn stored_box(before: Before, depth: u32) -> vec4<f32> {
#ifdef whole
    return group_boxes[before.first_node + depth];
#else
    return clipped_boxes[before.part * PARTITION_LENGTH + depth];
#endif
}

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
    let walked = walk_quad(part, local);
    let quad = walked.quad;
    let begins = begins_of(quad);
    let ends = ends_of(quad);
    let leaves = leaves_of(quad);
    var boxes = walked.boxes;
    var partners = walked.partners;

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
        let begin = unpack_cursor(walked.begin_cursors[$i]);
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
        pool[place / 4u][place % 4u] = walked.parents[$i];
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
    let n_since = u32(i32(local) - walked.source);
    let n_rest = select(0u, WORKGROUP_SIZE - 1u - local, unclosed != 0u);
    var row_box = own_box;
    var since_link = own_box;
    var rest = EMPTY;
    var half = 0u;
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 2u) {
        set_pool_box(half + local, row_box);
        workgroupBarrier();
        if n_since / length == 1u {
            since_link = join(row_box, pool_box(half + u32(walked.source) + length));
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
        let begin = unpack_cursor(walked.begin_cursors[$i]);
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
            let begin = unpack_cursor(walked.begin_cursors[$i]);
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
