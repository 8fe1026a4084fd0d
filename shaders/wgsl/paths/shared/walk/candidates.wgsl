// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: candidate_on, candidates, candidates_of_span

// The *candidate* of a span on a side: its curve with the largest upper bound of the extent.

#import extent
#import span

var<workgroup> candidates: array<u32, N_SIDES * SPANS_PER_WORKGROUP>;

fn candidate_on(side: u32, local: u32) -> u32 {
    return candidates[side * SPANS_PER_WORKGROUP + local];
}

fn candidates_of_span(local: u32) -> vec4<u32> {
    return vec4(candidate_on(0u, local), candidate_on(1u, local), candidate_on(2u, local), candidate_on(3u, local));
}
