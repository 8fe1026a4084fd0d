// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage bound, the dispatch that does the work: the links and clip box of every entry of the node stream, the clipped box of
// every leaf, and the group box of every node that begins and ends in the partition. Of the others, what lies in this partition.
// An invocation walks the four elements of its quad.

#import aabb
#import box_pool
#import config
#import depth_pool
#import node
#import quad
#import quad_pool
#import summary

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> crossings: array<PartitionCrossings>;
@group(0) @binding(4) var<storage, read_write> links: array<NodeLink>;
@group(0) @binding(5) var<storage, read_write> clip_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
// Before the walk: at entry d of the partition, the clip box that holds d levels below the top of the stack before it. In windows
// the clipped boxes have it, at element d.
@group(0) @binding(7) var<storage, read_write> group_boxes: array<vec4<f32>>;
#ifdef chunked
#import chunk
@group(0) @binding(8) var<storage, read_write> union_tree: array<vec4<f32>>;
@group(0) @binding(9) var<uniform> chunk: Chunk;
#endif

#import quad_stack

// The quads of half a partition: the pool has room for all boxes of their elements.
const HALF = WORKGROUP_SIZE / 2u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
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
    let quad = summaries[part].quads[local];
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

    // The stack that each quad leaves, and the tree of the quads' depths.
    let own = stack_of_quad(begins, ends);
    let lowest = lowest_of(quad);
    quads[local] = quad;
    tops[local] = own.open;
    build_depths(local, lowest);

    // Where each goes on below its own: at the last quad before that leaves the next level open.
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

    // The clip box that holds there: by pointer jumping, 2^r links after round r.
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
    // What holds after the quad is what holds before the next. What holds below the top of its begins is what most ends look for.
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

    // The walk. What the quad has pushed is in `stack`, below that is the cursor.
    var outer_begin = begin_at(before, cursor);
    var clip_box = outer_box;
    var stack = 0u;
    // Of an element, in place of its own box, the clip box that holds after it, or a leaf's clipped box; its parent; of an end, its
    // begin and where that is.
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

    // What the group boxes hold has been read. Here the barrier has no stores to wait for; no invocation reads what another stores
    // later.
    storageBarrier();

    // Clip boxes and clipped boxes, the former by way of the pool, so that neighbours store what is side by side.
    for (var part_quad = 0u; part_quad < WORKGROUP_SIZE; part_quad += HALF) {
        let from_node = nodes_before(part_quad, n_nodes);
        let to_node = nodes_before(part_quad + HALF, n_nodes);
        workgroupBarrier();
        if local / HALF == part_quad / HALF {
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

    // Each end tells its begin, if that is in the partition; the begins of a quad are at its index.
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

    // In round r, unions of 2^r quads in a row up to the own, in the halves of the pool by turns. Two of them, which may overlap,
    // make any stretch: that from below the link up to the quad, and for nodes that do not end in the partition, all behind it.
    let own_box = join(join(boxes[0], boxes[1]), join(boxes[2], boxes[3]));
    var unclosed = 0u;
    #repeat i 4
    unclosed |= select(0u, begins & (1u << $i), partners[$i] < 0);
    #endrepeat
    // In the last quad it may be all of them, but nobody asks for that.
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

    // What lies in a node: the begin's quad from there on, the quads between, the end's quad up to there. At an end, the last two.
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
                // Begun before the partition, if at all.
                if partners[$i] < 0 {
                    boxes[$i] = EMPTY;
                }
                crossings[part].pairs[begin.index].y = i32(first_node + rank_in_partition(quad, $i));
            }
        }
    }
    prefix = join(prefix, boxes[$i]);
    #endrepeat
    // At a begin, the first.
    var suffix = EMPTY;
    #repeat i 4 down
    if (((begins & ~unclosed) >> $i) & 1u) != 0u {
        boxes[$i] = suffix;
    }
    if ((leaves >> $i) & 1u) != 0u {
        suffix = join(suffix, boxes[$i]);
    }
    #endrepeat

    // Half a partition at a time: its nodes into the pool; each end of a begin there takes what lies in the begin's quad, and gives
    // what lies in the node; from the pool into the buffer. A begin is in the half of its end or in the one before.
    for (var part_quad = 0u; part_quad < WORKGROUP_SIZE; part_quad += HALF) {
        let from_node = nodes_before(part_quad, n_nodes);
        let to_node = nodes_before(part_quad + HALF, n_nodes);
        workgroupBarrier();
        if local / HALF == part_quad / HALF {
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
            if begin.open != 0u && begin.index / HALF == part_quad / HALF {
                let begin_node = rank_in_partition(quads[begin.index], firstLeadingBit(begin.open));
                let place = box_place(begin_node - from_node);
                if begin.index != local {
                    boxes[$i] = join(boxes[$i], pool_box(place));
                }
                set_pool_box(place, boxes[$i]);
                if local / HALF == part_quad / HALF {
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
