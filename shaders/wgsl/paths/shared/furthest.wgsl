// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: furthest, furthest_of_span, furthest_of_way

#import reach
#import span

// The curves that may reach the furthest of each span of a workgroup, one way after the other.
const MAX_FURTHEST = N_WAYS * SPANS_PER_WORKGROUP;
var<workgroup> furthest: array<u32, MAX_FURTHEST>;

// That of a span, one way.
fn furthest_of_way(local: u32, way: u32) -> u32 {
    return furthest[way * SPANS_PER_WORKGROUP + local];
}

// Those of a span, each way.
fn furthest_of_span(local: u32) -> vec4<u32> {
    return vec4(
        furthest[local],
        furthest[SPANS_PER_WORKGROUP + local],
        furthest[2u * SPANS_PER_WORKGROUP + local],
        furthest[3u * SPANS_PER_WORKGROUP + local],
    );
}
