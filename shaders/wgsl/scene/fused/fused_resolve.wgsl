// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_resolve: whole
// shader: fused_resolve_chunked: chunked

// Stage fused, results: the links and the clip box of every entry of the node stream, the clipped
// box of every element (EMPTY unless it is a leaf), and the group box of every node that begins and
// ends in the partition. Every other node gets the union of its leaves in this partition. If it
// ends here, the index of its end is stored in `crossings`. Each invocation processes one quad.
//
// After quad_walk, its pool of two halves, P0 and P1, holds:
//
// | phase        | P0                                       | P1       | barriers |
// |--------------|------------------------------------------|----------|----------|
// | store boxes  | boxes of half a partition, in P0 and P1             || 5        |
// | store links  | parents                                  | begins   | 3        |
// | unions       | unions of 1, 2, 4 ... quads, alternately in P0 and P1 || 8      |
// | contents     | unions since the base                    | -        | 1        |
// | store groups | group boxes of half a partition, in P0 and P1       || 6        |

#import aabb
#import box_pool
#import config
#import grid
#import entry
#import quad
#import quad_pool
#import summary

@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> crossings: array<PartitionCrossings>;
@group(0) @binding(4) var<storage, read_write> links: array<EntryLink>;
@group(0) @binding(5) var<storage, read_write> clip_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
// Before the walk, the group box of entry d of the partition holds the clip box d levels below the
// top of the stack before the partition. With `chunked`, the clipped box of element d does.
@group(0) @binding(7) var<storage, read_write> group_boxes: array<vec4<f32>>;
// Item `config.n_tree_leaves + part` becomes the union of the clipped boxes of the partition.
@group(0) @binding(8) var<storage, read_write> union_tree: array<vec4<f32>>;
#ifdef chunked
#import chunk
#endif

#import clipped_box
#import quad_stack
#import quad_walk
#import store_boxes

// The first entry of the partition in the bound parts of the buffers of entries.
var<private> first_in_buffers: u32;

fn place_of_entry(quad: u32, i: u32) -> u32 {
    return first_in_buffers + rank_in_partition(quads[quad], i);
}

fn store_box(part: u32, quad: u32, i: u32, box: vec4<f32>) {
    if ((entries_of(quads[quad]) >> i) & 1u) != 0u {
        clip_boxes[place_of_entry(quad, i)] = box;
    }
    store_clipped_box(part, quad, i, box);
}

// For each begin of the partition, the rank of its end in the partition plus 1, or 0 if no end in
// the partition closes it. Half a word per element.
var<workgroup> end_ranks: array<atomic<u32>, 2u * WORKGROUP_SIZE>;

fn set_end_rank(element: u32, rank: u32) {
    atomicOr(&end_ranks[element / 2u], (rank + 1u) << (16u * (element & 1u)));
}

fn rank_of_end_plus_1(element: u32) -> u32 {
    return (atomicLoad(&end_ranks[element / 2u]) >> (16u * (element & 1u))) & 0xffffu;
}

// Phase "store links": parents in P0 and the begins of ends in P1, a vector per quad. Each end also
// sets its rank at its begin, if that is in the partition. Returns the begins of the quad that no
// end of the partition closes. Starts and ends with a barrier.
fn store_links(local: u32, walked: Walked, first_entry: u32) -> u32 {
    let parents = walked.parents;
    let partners = walked.partners;
    atomicStore(&end_ranks[2u * local], 0u);
    atomicStore(&end_ranks[2u * local + 1u], 0u);
    workgroupBarrier();
    pool[local] = vec4(parents[0], parents[1], parents[2], parents[3]);
    pool[WORKGROUP_SIZE + local] = vec4(partners[0], partners[1], partners[2], partners[3]);
    #repeat i 4
    {
        let begin = unpack_cursor(walked.begin_cursors[$i]);
        if begin.open != 0u {
            let element = QUAD_LENGTH * begin.index + firstLeadingBit(begin.open);
            set_end_rank(element, rank_in_partition(walked.quad, $i));
        }
    }
    #endrepeat
    workgroupBarrier();
    var unclosed = begins_of(walked.quad);
    #repeat i 4
    if rank_of_end_plus_1(QUAD_LENGTH * local + $i) != 0u {
        unclosed &= ~(1u << $i);
    }
    #endrepeat
    #repeat round 4
    {
        let element = $round * WORKGROUP_SIZE + local;
        let quad = element / QUAD_LENGTH;
        let i = element % QUAD_LENGTH;
        if ((entries_of(quads[quad]) >> i) & 1u) != 0u {
            var partner = pool[WORKGROUP_SIZE + quad][i];
            let rank_plus_1 = rank_of_end_plus_1(element);
            if rank_plus_1 != 0u {
                partner = i32(first_entry + rank_plus_1 - 1u);
            }
            links[place_of_entry(quad, i)] = EntryLink(pool[quad][i], partner);
        }
    }
    #endrepeat
    workgroupBarrier();
    return unclosed;
}

// Unions of the boxes of quads.
struct Unions {
    // From after the quad's base up to the quad.
    since_base: vec4<f32>,
    // All later quads of the partition, if `needs_rest`.
    rest: vec4<f32>,
    // All quads of the partition up to this one.
    up_to_quad: vec4<f32>,
}

// Phase "unions": round r computes the union of the 2^r quads ending at each one, alternately in
// the two halves of the pool. Two such unions, possibly overlapping, cover any range. The last
// round reads P1.
fn unions_of_quads(local: u32, own_box: vec4<f32>, source: i32, needs_rest: bool) -> Unions {
    // If the last quad has no base in the partition, `since_base` is wrong for it. Nothing reads
    // that value.
    let n_since = u32(i32(local) - source);
    let n_rest = select(0u, WORKGROUP_SIZE - 1u - local, needs_rest);
    var range_box = own_box;
    var since_base = own_box;
    var rest = EMPTY;
    var half = 0u;
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 2u) {
        set_pool_box(half + local, range_box);
        workgroupBarrier();
        if n_since >= length && n_since < 2u * length {
            since_base = join(range_box, pool_box(half + u32(source) + length));
        }
        if n_rest >= length && n_rest < 2u * length {
            rest = join(pool_box(half + local + length), pool_box(half + WORKGROUP_SIZE - 1u));
        }
        if local >= length {
            range_box = join(range_box, pool_box(half + local - length));
        }
        half ^= WORKGROUP_SIZE;
    }
    return Unions(since_base, rest, range_box);
}

// Phase "contents": the leaves of a node are in (1) the rest of its begin's quad, (2) the quads in
// between, and (3) the front of its end's quad. An end gets the union of (2) and (3). A begin gets
// the union of (1). If both are in one quad, the end gets all leaves. An unclosed begin gets the
// union of all later leaves of the partition.
//
// P0 contains the unions since the base of each quad. `leaf_boxes` are EMPTY for entries, and
// `rest` is the union of all later quads.
fn contents_of(
    part: u32,
    local: u32,
    first_entry: u32,
    walked: Walked,
    leaf_boxes: array<vec4<f32>, QUAD_LENGTH>,
    unclosed: u32,
    rest: vec4<f32>,
) -> array<vec4<f32>, QUAD_LENGTH> {
    var boxes = leaf_boxes;
    var between = EMPTY;
    var joined_from = i32(local) - 1;
    var prefix = EMPTY;
    #repeat i 4
    if ((ends_of(walked.quad) >> $i) & 1u) != 0u {
        let begin = unpack_cursor(walked.begin_cursors[$i]);
        if begin.open != 0u && begin.index == local {
            #repeat j 4
            if $j < $i && $j > firstLeadingBit(begin.open) {
                boxes[$i] = join(boxes[$i], boxes[$j]);
            }
            #endrepeat
        } else {
            let begin_quad = quad_of(begin);
            if begin_quad != joined_from {
                between = join(between, pool_box(u32(joined_from)));
                joined_from = begin_quad;
            }
            boxes[$i] = join(between, prefix);
            if begin.open == 0u {
                // The begin is before the partition, or there is none.
                if walked.partners[$i] < 0 {
                    boxes[$i] = EMPTY;
                }
                crossings[part].pairs[begin.index].y = i32(first_entry + rank_in_partition(walked.quad, $i));
            }
        }
    }
    prefix = join(prefix, boxes[$i]);
    #endrepeat
    var suffix = EMPTY;
    #repeat i 4 down
    if ((begins_of(walked.quad) >> $i) & 1u) != 0u {
        boxes[$i] = suffix;
        if ((unclosed >> $i) & 1u) != 0u {
            boxes[$i] = join(suffix, rest);
        }
    }
    suffix = join(suffix, leaf_boxes[$i]);
    #endrepeat
    return boxes;
}

// Phase "store groups": works on half a partition at a time. The boxes of the half go into the
// pool. Each end whose begin is in this half joins its union with the begin's and stores the result
// for both. Then the half is copied to the buffer. A begin is in the same half as its end or in the
// one before.
fn store_groups(local: u32, walked: Walked, contents: array<vec4<f32>, QUAD_LENGTH>) {
    var boxes = contents;
    for (var half_start = 0u; half_start < WORKGROUP_SIZE; half_start += HALF) {
        pool_half(local, half_start, boxes);
        #repeat i 4
        {
            let begin = unpack_cursor(walked.begin_cursors[$i]);
            if begin.open != 0u && begin.index / HALF == half_start / HALF {
                let place = element_place(begin.index, firstLeadingBit(begin.open));
                if begin.index != local {
                    boxes[$i] = join(boxes[$i], pool_box(place));
                }
                set_pool_box(place, boxes[$i]);
                // The end itself is copied with its own half.
                if local / HALF == half_start / HALF {
                    set_pool_box(element_place(local, $i), boxes[$i]);
                }
            }
        }
        #endrepeat
        workgroupBarrier();
        #repeat round 2
        {
            let slot = $round * WORKGROUP_SIZE + local;
            let quad = half_start + slot / QUAD_LENGTH;
            let i = slot % QUAD_LENGTH;
            if ((entries_of(quads[quad]) >> i) & 1u) != 0u {
                group_boxes[place_of_entry(quad, i)] = pool_box(element_place(quad, i));
            }
        }
        #endrepeat
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let first_entry = summaries[part].first_entry;
#ifdef chunked
    if !has_entry(first_entry) {
        return;
    }
    first_in_buffers = first_entry - chunk.first_entry;
#else
    first_in_buffers = first_entry;
#endif
    let walked = walk_quad(part, local);
    var boxes = walked.boxes;

    // All clip boxes and begins before the partition have been read, and their memory may be
    // overwritten. The barrier is cheap here, because there are no stores before it.
    storageBarrier();

    #repeat i 4
    boxes[$i] = canonical(boxes[$i]);
    #endrepeat
    store_boxes(part, local, boxes);
    let unclosed = store_links(local, walked, first_entry);

    // Now `boxes` contains those of the leaves, and EMPTY for other elements.
    #repeat i 4
    if ((leaves_of(walked.quad) >> $i) & 1u) == 0u {
        boxes[$i] = EMPTY;
    }
    #endrepeat
    let own_box = join(join(boxes[0], boxes[1]), join(boxes[2], boxes[3]));
    let unions = unions_of_quads(local, own_box, quad_of(walked.base), unclosed != 0u);
    if local == WORKGROUP_SIZE - 1u {
#ifdef chunked
        union_tree[config.n_tree_leaves + chunk.first_partition + part] = unions.up_to_quad;
#else
        union_tree[config.n_tree_leaves + part] = unions.up_to_quad;
#endif
    }
    set_pool_box(local, unions.since_base);
    workgroupBarrier();
    store_groups(local, walked, contents_of(part, local, first_entry, walked, boxes, unclosed, unions.rest));
}
