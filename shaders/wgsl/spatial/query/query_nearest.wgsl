// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage query: the box that is nearest to a point. An invocation descends to a leaf by way of the
// nearest child of each node, and then walks over the nodes that are not farther than this leaf.

#import aabb
#import grid
#import n_items
#import query_config
#import packed_tree
#import walk
#import distance

const QUERIES_PER_WORKGROUP = 64u;

// A point and a maximum distance each.
@group(0) @binding(2) var<storage> queries: array<vec4<f32>>;
// The index of the nearest box, or 0xffffffff, and its squared distance.
@group(0) @binding(3) var<storage, read_write> found: array<vec2<u32>>;

var<private> asked: vec2<f32>;
var<private> nearest: f32;
// The index of the nearest box + 1.
var<private> answer: u32;

fn wants(box: vec4<f32>, span: vec2<u32>) -> bool {
    let squared = squared_distance(box, asked);
    return span.x <= span.y && (squared < nearest || (squared == nearest && span.y >= answer));
}

fn visit(box: vec4<f32>, span: vec2<u32>) -> bool {
    if wants(box, span) {
        nearest = squared_distance(box, asked);
        answer = span.y + 1u;
    }
    return false;
}

// Visits a leaf that is probably near.
fn descend() {
    var child = 4u;
    for (var height = tree.height; height > 0u; height--) {
        let slot = siblings_slot(child);
        var best = 0u;
        var least = LARGEST;
        #repeat i 4
        let box = node_boxes[slot + $i];
        let squared = squared_distance(box, asked);
        if box.x < box.z && squared < least {
            least = squared;
            best = $i;
        }
        #endrepeat
        if height == 1u {
            let spans = node_spans[(slot + best) / 2u];
            let box = node_boxes[slot + best];
            let span = select(spans.xy, spans.zw, best % 2u == 1u);
            if wants(box, span) {
                visit(box, span);
            }
        }
        child = 4u * (child + best);
    }
}

@compute @workgroup_size(QUERIES_PER_WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let query = workgroup_index(grid) * QUERIES_PER_WORKGROUP + local;
    if query >= n_items() {
        return;
    }
    asked = queries[query].xy;
    nearest = squared_limit(queries[query].z);
    answer = 0u;
    descend();
    walk();
    found[query] = vec2(answer - 1u, select(bitcast<u32>(nearest), 0u, answer == 0u));
}
