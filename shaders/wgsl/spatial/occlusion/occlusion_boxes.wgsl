// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: occlusion_boxes
// shader: occlusion_boxes_scopes: scopes

// Stage occlusion by single boxes: one bit per element. The bit is 1 if the box of the element has
// an area and no later inner box contains it. An invocation walks over the tree of inner boxes for
// one element.

#import grid
#import n_items
#import aabb
#import index_config
#import walk

// Few invocations per workgroup, because it takes as long as the longest of its walks.
const ELEMENTS_PER_WORKGROUP = 64u;

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> visible: array<u32>;
#ifdef scopes
// An inner box covers nothing before this element.
@group(0) @binding(4) var<storage> scope_starts: array<u32>;
#endif

var<workgroup> visible_bits: array<atomic<u32>, ELEMENTS_PER_WORKGROUP / 32u>;

var<private> own_box: vec4<f32>;
var<private> own_item: u32;
var<private> is_hidden: bool;

// The largest index of a node without boxes is 0, so that it is not wanted.
fn wants(box: vec4<f32>, span: vec2<u32>) -> bool {
    return span.y > own_item && all(box.xy <= own_box.xy) && all(own_box.zw <= box.zw);
}

fn visit(box: vec4<f32>, span: vec2<u32>) -> bool {
#ifdef scopes
    // The tree is in buffers that the caller can write.
    let last = min(span.y, config.capacity - 1u);
    is_hidden = scope_starts[last] <= own_item;
#else
    is_hidden = true;
#endif
    return is_hidden;
}

@compute @workgroup_size(ELEMENTS_PER_WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let n = n_items();
    let item = workgroup_index(grid) * ELEMENTS_PER_WORKGROUP + local;
    if local < ELEMENTS_PER_WORKGROUP / 32u {
        atomicStore(&visible_bits[local], 0u);
    }
    workgroupBarrier();
    if item < n {
        own_box = boxes[item];
        own_item = item;
        if !is_empty(own_box) {
            walk();
            atomicOr(&visible_bits[local / 32u], u32(!is_hidden) << (local % 32u));
        }
    }
    workgroupBarrier();
    if local % 32u == 0u && item < n {
        visible[item / 32u] = atomicLoad(&visible_bits[local / 32u]);
    }
}
