// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 5 of 6: the boxes of the segments of strokes, joined for each path.
//
// As for fills, a workgroup bounds the reaches (`path_reach`) of each of its segments, and joins what they are at least in a slot
// for each path. A *job* is a segment that may be the furthest of its path, in whatever way: what a piece of a curve covers is
// known in all ways at once. That takes long; where it is only the ends of a curve, its cap or its join that may be the
// furthest, the job is only these. The list of jobs has whole curves at its front and what takes less at its back, so that
// neighbours have alike ones. Minimum and maximum do not round, so order does not matter.

#import path_config
#import path_tag
#import path_arithmetic
#import path_segment
#import aabb
#import ordered
#import path_stroke
#import path_reach
#import path_stroke_reach
#import path_slots

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
// What comes before each partition of its group, and before each group.
@group(0) @binding(2) var<storage> partition_counts: array<vec4<u32>>;
@group(0) @binding(3) var<storage> group_counts: array<vec4<u32>>;
// Four words a path.
@group(0) @binding(4) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene once more, two words at a time.
@group(0) @binding(5) var<storage> scene_pairs: array<vec2<u32>>;

const N_SUMMED = WORKGROUP_SIZE;
#import path_sums

// A job each tag at most: the word, and which of its four tags in the two low bits.
const MAX_JOBS = 4u * WORKGROUP_SIZE;
var<workgroup> jobs: array<u32, MAX_JOBS>;
var<workgroup> n_curves: atomic<u32>;
var<workgroup> n_others: atomic<u32>;

// A word of tags, and the one after it.
fn tags_at(index: u32) -> vec2<u32> {
    var words = vec2(0u);
    if index < config.n_tag_words {
        words.x = scene[config.path_tag_base + index];
    }
    if index + 1u < config.n_tag_words {
        words.y = scene[config.path_tag_base + index + 1u];
    }
    return words;
}

// The words from tag k of the first on.
fn tags_from(words: vec2<u32>, k: u32) -> u32 {
    // A shift by 32 is none.
    return (words.x >> (8u * k)) | select(0u, words.y << (32u - 8u * k), k != 0u);
}

// The segment of the first of these tags, before which these counts are.
fn read_stroke(tags: u32, at: Counts) -> Stroke {
    let tag = tags & 0xffu;
    let next_tag = (tags >> 8u) & 0xffu;
    var stroke: Stroke;
    // Transforms and styles hold from the last tag of their kind on.
    stroke.transform = at.x - 1u;
    let style = at.y - 1u;
    if stroke.transform >= config.n_transforms || style >= config.n_styles {
        return stroke;
    }
    stroke.flags = scene[config.style_base + 2u * style];
    if (stroke.flags & STYLE_STROKE) == 0u {
        return stroke;
    }
    let is_end = (tag & TAG_SUBPATH_END) != 0u;
    let is_line = (tag & TAG_SEGMENT) == TAG_LINE;
    stroke.width = scene[config.style_base + 2u * style + 1u];
    stroke.segment = read_segment(at.z, tag);
    if stroke.segment.greatest >= INFINITY || magnitude(stroke.width) >= INFINITY {
        return stroke;
    }
    stroke.greatest = max(stroke.segment.greatest, magnitude(stroke.width));
    let is_followed = !is_end && (next_tag & TAG_SEGMENT) != 0u;
    var is_next_drawn = false;
    if is_followed {
        stroke.next = read_segment(at.z + data_of_tag(tag), next_tag);
        is_next_drawn = stroke.next.greatest < INFINITY;
        if is_next_drawn {
            stroke.greatest = max(stroke.greatest, stroke.next.greatest);
        }
    }
    // The marker of a closed subpath draws nothing: the segment before is joined to what it starts with.
    stroke.is_drawn = !(is_end && is_line);
    stroke.is_marker = is_end;
    let is_before_open_end = (next_tag & TAG_SUBPATH_END) != 0u && (next_tag & TAG_SEGMENT) != TAG_LINE;
    stroke.is_capped = !is_followed || (is_next_drawn && is_before_open_end);
    stroke.is_joined = is_next_drawn && !is_before_open_end;
    return stroke;
}

// The box of the segment of the first of these tags, before which these counts are; of a curve maybe not the whole.
fn segment_box(tags: u32, at: Counts, is_whole: bool) -> vec4<f32> {
    let stroke = read_stroke(tags, at);
    if !stroke.is_drawn {
        return EMPTY;
    }
    let map = map_of(stroke.transform, stroke.greatest);
    if !map.is_finite {
        return EMPTY;
    }
    if map.is_huge {
        return PLANE;
    }
    let half_width = 0.5 * abs(scaled(map, vec2(bitcast<f32>(stroke.width))).x);
    let pen = pen_of(map, half_width);
    let segment = scaled_segment(map, stroke.segment);
    if stroke.is_marker {
        if segment.n == 3u {
            return start_cap_box(segment, stroke.flags, map, pen);
        }
        return EMPTY;
    }
    return stroke_box(segment, scaled_segment(map, stroke.next), stroke, is_whole, map, pen);
}

// Bounds of the reaches of the same segment: at most -LARGEST of what has no ink, at least -LARGEST and at most LARGEST of what
// nothing is known of.
fn bounds_of_tag(tags: u32, at: Counts) -> StrokeBounds {
    let stroke = read_stroke(tags, at);
    if !stroke.is_drawn {
        return StrokeBounds(vec4(-LARGEST), vec4(-LARGEST), vec4(-LARGEST));
    }
    let transform = read_transform(stroke.transform);
    if max(stroke.greatest, greatest_of_transform(transform)) >= UNBOUNDED
        || (stroke.is_marker && stroke.segment.n != 3u) {
        return StrokeBounds(vec4(-LARGEST), vec4(LARGEST), vec4(LARGEST));
    }
    return stroke_reach_bounds(stroke, transform);
}

fn join_reach(path: u32, slot: u32, reach: vec4<f32>) {
    if reach.x == -LARGEST {
        return;
    }
    join_keys(path, slot, keys_of(reach));
}

// The keys of what the ends of a segment and what follows it reach at most, and the rest of a curve.
struct AtMost {
    of_ends: vec4<i32>,
    of_curve: vec4<i32>,
}

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
    let words = tags_at(part * WORKGROUP_SIZE + local);
    let before = group_counts[part / PARTITIONS_PER_GROUP] + partition_counts[part];
    for (var i = local; i < N_WAYS * N_SLOTS; i += WORKGROUP_SIZE) {
        atomicStore(&slots[i], NO_REACH);
    }
    if local == 0u {
        atomicStore(&n_curves, 0u);
        atomicStore(&n_others, 0u);
    }
    let own_counts = packed_counts_of_word(words.x);
    let first_at = sum_up_to(local, own_counts) - own_counts;
    let n_ended = unpacked(counts_up_to(0u, WORKGROUP_SIZE - 1u)).w;

    // What the segments reach at most, of each tag in a variable of its own. They move up, as registers have no index.
    let nothing = AtMost(vec4(NO_REACH), vec4(NO_REACH));
    var at_most_0 = nothing;
    var at_most_1 = nothing;
    var at_most_2 = nothing;
    var at_most_3 = nothing;
    var at = first_at;
    // What the segments of the path that goes on reach at least.
    var at_least = vec4(-LARGEST);
    for (var k = 0u; k < 4u; k++) {
        let tags = tags_from(words, k);
        let counts = before + unpacked(at);
        at_most_0 = at_most_1;
        at_most_1 = at_most_2;
        at_most_2 = at_most_3;
        at_most_3 = nothing;
        if (tags & TAG_SEGMENT) != 0u && counts.w < config.n_paths {
            let bounds = bounds_of_tag(tags, counts);
            at_least = max(at_least, bounds.at_least);
            at_most_3 = AtMost(ordered_from_f32(bounds.ends_at_most), ordered_from_f32(bounds.curve_at_most));
        }
        if (tags & TAG_PATH) != 0u && counts.w < config.n_paths {
            join_reach(counts.w, counts.w - before.w, at_least);
            at_least = vec4(-LARGEST);
        }
        at += packed_counts_of_tag(tags & 0xffu);
    }
    let last_slot = unpacked(at).w;
    join_reach(before.w + last_slot, last_slot, at_least);
    workgroupBarrier();

    // What reaches no further than is known of the path changes nothing.
    at = first_at;
    for (var k = 0u; k < 4u; k++) {
        let tag = (words.x >> (8u * k)) & 0xffu;
        let known = known_reaches(at.x >> 16u);
        if any(at_most_0.of_curve > known) {
            jobs[atomicAdd(&n_curves, 1u)] = 4u * local + k;
        } else if any(at_most_0.of_ends > known) {
            jobs[MAX_JOBS - 1u - atomicAdd(&n_others, 1u)] = 4u * local + k;
        }
        at_most_0 = at_most_1;
        at_most_1 = at_most_2;
        at_most_2 = at_most_3;
        at += packed_counts_of_tag(tag);
    }
    workgroupBarrier();
    let n_at_front = atomicLoad(&n_curves);
    let n_jobs = n_at_front + atomicLoad(&n_others);
    for (var i = local; i < n_jobs; i += WORKGROUP_SIZE) {
        let is_whole = i < n_at_front;
        let job = jobs[select(MAX_JOBS - 1u + n_at_front - i, i, is_whole)];
        let word = job / 4u;
        let k = job % 4u;
        let tags = tags_at(part * WORKGROUP_SIZE + word);
        let counts = counts_of_earlier(0u, word, 1u) + packed_counts_of_word(tags.x & ((1u << (8u * k)) - 1u));
        let slot = unpacked(counts).w;
        let box = segment_box(tags_from(tags, k), before + unpacked(counts), is_whole);
        join_reach(before.w + slot, slot, vec4(-box.xy, box.zw));
    }
    workgroupBarrier();

    // Fills may have reached further.
    for (var i = local; i < N_WAYS * min(n_ended + 1u, N_SLOTS); i += WORKGROUP_SIZE) {
        let slot = i / N_WAYS;
        let key = atomicLoad(&slots[i]);
        if key != NO_REACH && before.w + slot < config.n_paths {
            join_globally(before.w + slot, i % N_WAYS, key);
        }
    }
}
