// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: layers_overlap
// shader: layers_overlap_earlier: earlier
// shader: layers_overlap_scopes: scopes
// shader: layers_overlap_earlier_scopes: earlier scopes

// Stage layers, 1 of 2 for each block: which items of the block overlap which earlier ones.
//
// A workgroup compares a group of 256 items of the block with a span of 128 items. If the span is
// in the same block, the result is a bit per pair. The layers of the items of earlier blocks are
// known. Of them, the result is the largest layer of those that overlap an item. Only `earlier` has
// workgroups for these.

#import grid
#import n_items
#import aabb
#import layers_config

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
// The bits of a span for each item of the block, span by span.
@group(0) @binding(4) var<storage, read_write> overlaps: array<vec4<u32>>;
#ifdef earlier
@group(0) @binding(3) var<storage> layers: array<u32>;
// 0 at first for each item of the block.
@group(0) @binding(5) var<storage, read_write> largest: array<atomic<u32>>;
var<workgroup> span_layers: array<u32, SPAN_LENGTH>;
#endif

#ifdef scopes
// Items of different scopes do not overlap.
@group(0) @binding(6) var<storage> scopes: array<u32>;
var<workgroup> span_scopes: array<u32, SPAN_LENGTH>;
#endif

var<workgroup> span_boxes: array<vec4<f32>, SPAN_LENGTH>;

// The number of comparisons of a group of the block with a span of it that is not after the group.
const COMPARISONS_PER_BLOCK = SPANS_PER_GROUP * GROUPS_PER_BLOCK * (GROUPS_PER_BLOCK + 1u) / 2u;

// The box of an item, or one that overlaps nothing if the item does not exist or its box is empty.
fn box_of(item: u32, n: u32) -> vec4<f32> {
    let own = boxes[min(item, n - 1u)];
    return select(own, EMPTY, item >= n || is_empty(own));
}

fn overlap(a: vec4<f32>, b: vec4<f32>) -> bool {
    return all(vec4(a.xy, b.xy) < vec4(b.zw, a.zw));
}

// Whether the own box overlaps one of the span, in the same scope.
fn overlaps_at(own: vec4<f32>, own_scope: u32, place: u32) -> bool {
#ifdef scopes
    return overlap(own, span_boxes[place]) && own_scope == span_scopes[place];
#else
    return overlap(own, span_boxes[place]);
#endif
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let n = n_items();
    var index = workgroup_index(grid);
    var group = 0u;
    var span = 0u;
    let is_in_block = index < COMPARISONS_PER_BLOCK;
    if is_in_block {
        // Group g has 2 g + 2 spans.
        #repeat g 8
        if index >= SPANS_PER_GROUP * $g * ($g + 1u) / 2u {
            group = $g;
            span = index - SPANS_PER_GROUP * $g * ($g + 1u) / 2u;
        }
        #endrepeat
        span += config.first / SPAN_LENGTH;
    } else {
        index -= COMPARISONS_PER_BLOCK;
        group = index % GROUPS_PER_BLOCK;
        span = index / GROUPS_PER_BLOCK;
        if span >= config.first / SPAN_LENGTH {
            return;
        }
    }
    if config.first + group * WORKGROUP_SIZE >= n {
        return;
    }
    let place = group * WORKGROUP_SIZE + local;
    let item = config.first + place;
    let source = span * SPAN_LENGTH + local;
    if local < SPAN_LENGTH {
        span_boxes[local] = box_of(source, n);
#ifdef scopes
        span_scopes[local] = scopes[min(source, n - 1u)];
#endif
#ifdef earlier
        // Only layers of earlier blocks are used.
        span_layers[local] = layers[min(source, n - 1u)];
#endif
    }
    let own = box_of(item, n);
    var own_scope = 0u;
#ifdef scopes
    own_scope = scopes[min(item, n - 1u)];
#endif
    workgroupBarrier();
    if is_in_block {
        var bits = vec4(0u);
        #repeat word 4
        for (var octet = 0u; octet < 32u; octet += 8u) {
            #repeat i 8
            bits[$word] |= u32(overlaps_at(own, own_scope, 32u * $word + octet + $i)) << (octet + $i);
            #endrepeat
        }
        #endrepeat
        // The bits of the items before this one.
        let n_before = clamp(i32(item) - i32(span * SPAN_LENGTH), 0, i32(SPAN_LENGTH));
        let n_of_word = vec4<u32>(clamp(n_before - vec4(0, 32, 64, 96), vec4(0), vec4(32)));
        bits &= select((vec4(1u) << min(n_of_word, vec4(31u))) - 1u, vec4(0xffffffffu), n_of_word == vec4(32u));
        overlaps[(span - config.first / SPAN_LENGTH) * BLOCK_LENGTH + place] = bits;
    }
#ifdef earlier
    else {
        var most = 0u;
        for (var octet = 0u; octet < SPAN_LENGTH; octet += 8u) {
            #repeat i 8
            let layer = span_layers[octet + $i];
            most = max(most, select(0u, layer, overlaps_at(own, own_scope, octet + $i)));
            #endrepeat
        }
        // Most items already know a layer as large.
        if most > atomicLoad(&largest[place]) {
            atomicMax(&largest[place], most);
        }
    }
#endif
}
