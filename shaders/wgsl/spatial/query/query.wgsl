// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: query_top_at: latest_first top at
// shader: query_top_overlapping: latest_first top overlapping
// shader: query_top_within: latest_first top within
// shader: query_any_at: any at
// shader: query_any_overlapping: any overlapping
// shader: query_any_within: any within
// shader: query_count_at: count at
// shader: query_count_overlapping: count overlapping
// shader: query_count_within: count within
// shader: query_list_at: list at
// shader: query_list_overlapping: list overlapping
// shader: query_list_within: list within

// Stage query: an invocation walks over the tree for one query.

#import grid
#import n_items
#import query_config
#import query_condition
#import walk

// Few invocations per workgroup, because it takes as long as the longest of its walks.
const QUERIES_PER_WORKGROUP = 64u;

@group(0) @binding(2) var<storage> queries: array<vec4<f32>>;
#ifdef top
// The index of the last box, or 0xffffffff.
@group(0) @binding(3) var<storage, read_write> found: array<u32>;
#endif
#ifdef any
// A bit per query.
@group(0) @binding(3) var<storage, read_write> found: array<u32>;
var<workgroup> is_found: array<atomic<u32>, QUERIES_PER_WORKGROUP / 32u>;
#endif
#ifdef count
@group(0) @binding(3) var<storage, read_write> n_found: array<u32>;
#endif
#ifdef list
@group(0) @binding(3) var<storage, read_write> found: array<u32>;
@group(0) @binding(4) var<storage> sums: array<u32>;
#endif

var<private> asked: vec4<f32>;
// The last box: its index + 1. Otherwise, the number of boxes, or the place of the next one.
var<private> answer: u32;

fn wants(box: vec4<f32>, span: vec2<u32>) -> bool {
#ifdef top
    return span.x <= span.y && span.y >= answer && may_meet(box, asked);
#else
    return span.x <= span.y && may_meet(box, asked);
#endif
}

fn visit(box: vec4<f32>, span: vec2<u32>) -> bool {
    if !meets(box, asked) {
        return false;
    }
#ifdef top
    answer = max(answer, span.y + 1u);
    return false;
#else
#ifdef list
    // The places beyond the capacity are not counted, because they could overflow.
    if answer < config.output_capacity {
        found[answer] = span.y;
        answer += 1u;
    }
#else
    answer += 1u;
#endif
#ifdef any
    return true;
#else
    return false;
#endif
#endif
}

@compute @workgroup_size(QUERIES_PER_WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let query = workgroup_index(grid) * QUERIES_PER_WORKGROUP + local;
    let n = n_items();
#ifdef any
    if local < QUERIES_PER_WORKGROUP / 32u {
        atomicStore(&is_found[local], 0u);
    }
    workgroupBarrier();
#endif
    if query < n {
        asked = queries[query];
        answer = 0u;
#ifdef list
        answer = sums[query];
#endif
        walk();
#ifdef top
        // 0 becomes 0xffffffff.
        found[query] = answer - 1u;
#endif
#ifdef any
        atomicOr(&is_found[local / 32u], answer << (local % 32u));
#endif
#ifdef count
        n_found[query] = answer;
#endif
    }
#ifdef any
    workgroupBarrier();
    let word = query / 32u;
    if local % 32u == 0u && 32u * word < n {
        found[word] = atomicLoad(&is_found[local / 32u]);
    }
#endif
}
