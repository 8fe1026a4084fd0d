// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 4 of 5: the boxes of the segments of strokes, joined for each path. An invocation has a word of four tags, a
// workgroup joins what belongs to a path in its memory, and then paths meet in atomics: minimum and maximum do not round, so
// their order does not matter.

#import path_config
#import path_tag
#import path_arithmetic
#import path_segment
#import aabb
#import ordered
#import path_key
#import path_stroke

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
// What comes before each partition of its group, and before each group.
@group(0) @binding(2) var<storage> partition_counts: array<vec4<u32>>;
@group(0) @binding(3) var<storage> group_counts: array<vec4<u32>>;
// Four words a path.
@group(0) @binding(4) var<storage, read_write> path_keys: array<atomic<i32>>;

// Paths of a partition that are joined in workgroup memory; those after them are joined at once.
const N_SLOTS = 512u;

var<workgroup> sums: array<vec4<u32>, WORKGROUP_SIZE>;
var<workgroup> slots: array<atomic<i32>, 2048>;

// The box of the segment of a tag, before which these counts are.
fn segment_box(tag: u32, next_tag: u32, at: Counts) -> vec4<f32> {
    // Transforms and styles hold from the last tag of their kind on.
    let transform = at.x - 1u;
    let style = at.y - 1u;
    if transform >= config.n_transforms || style >= config.n_styles {
        return EMPTY;
    }
    let flags = scene[config.style_base + 2u * style];
    if (flags & STYLE_STROKE) == 0u {
        return EMPTY;
    }
    let is_end = (tag & TAG_SUBPATH_END) != 0u;
    let is_line = (tag & TAG_SEGMENT) == TAG_LINE;
    let width = scene[config.style_base + 2u * style + 1u];
    var segment = read_segment(at.z, tag);
    if segment.greatest >= INFINITY || magnitude(width) >= INFINITY {
        return EMPTY;
    }
    var greatest = max(segment.greatest, magnitude(width));
    let is_followed = !is_end && (next_tag & TAG_SEGMENT) != 0u;
    var next: Segment;
    var is_next_drawn = false;
    if is_followed {
        next = read_segment(at.z + data_of_tag(tag), next_tag);
        is_next_drawn = next.greatest < INFINITY;
        if is_next_drawn {
            greatest = max(greatest, next.greatest);
        }
    }
    let map = map_of(transform, greatest);
    // The marker of a closed subpath draws nothing: the segment before is joined to what it starts with.
    if !map.is_finite || (is_end && is_line) {
        return EMPTY;
    }
    if map.is_huge {
        return PLANE;
    }
    let half_width = 0.5 * abs(scaled(map, vec2(bitcast<f32>(width))).x);
    let pen = pen_of(map, half_width);
    segment = scaled_segment(map, segment);
    if is_end {
        if segment.n == 3u {
            return start_cap_box(segment, flags, map, pen);
        }
        return EMPTY;
    }
    let is_before_open_end = (next_tag & TAG_SUBPATH_END) != 0u && (next_tag & TAG_SEGMENT) != TAG_LINE;
    let is_capped = !is_followed || (is_next_drawn && is_before_open_end);
    let is_joined = is_next_drawn && !is_before_open_end;
    return stroke_box(segment, scaled_segment(map, next), is_joined, is_capped, flags, map, pen);
}

fn join_globally(path: u32, key: vec4<i32>) {
    atomicMin(&path_keys[4u * path], key.x);
    atomicMin(&path_keys[4u * path + 1u], key.y);
    atomicMax(&path_keys[4u * path + 2u], key.z);
    atomicMax(&path_keys[4u * path + 3u], key.w);
}

fn join_in_workgroup(path: u32, slot: u32, box: vec4<f32>) {
    if box.x > box.z {
        return;
    }
    // Compilers care little for the sign of 0, and the key of -0.0 is -1.
    let signed_key = ordered_from_f32(box);
    let key = select(signed_key, vec4(0), signed_key == vec4(-1));
    if slot >= N_SLOTS {
        join_globally(path, key);
        return;
    }
    atomicMin(&slots[4u * slot], key.x);
    atomicMin(&slots[4u * slot + 1u], key.y);
    atomicMax(&slots[4u * slot + 2u], key.z);
    atomicMax(&slots[4u * slot + 3u], key.w);
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
    let index = part * WORKGROUP_SIZE + local;
    var word = 0u;
    var next_word = 0u;
    if index < config.n_tag_words {
        word = scene[config.path_tag_base + index];
    }
    if index + 1u < config.n_tag_words {
        next_word = scene[config.path_tag_base + index + 1u];
    }
    let own = counts_of_word(word);
    var sum = own;
    sums[local] = sum;
    for (var slot = local; slot < N_SLOTS; slot += WORKGROUP_SIZE) {
        atomicStore(&slots[4u * slot], NO_INK.x);
        atomicStore(&slots[4u * slot + 1u], NO_INK.y);
        atomicStore(&slots[4u * slot + 2u], NO_INK.z);
        atomicStore(&slots[4u * slot + 3u], NO_INK.w);
    }
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var before = vec4(0u);
        if local >= stride {
            before = sums[local - stride];
        }
        workgroupBarrier();
        sum += before;
        sums[local] = sum;
    }
    let before = group_counts[part / PARTITIONS_PER_GROUP] + partition_counts[part];
    let first_path = before.w;
    var at = before + (sum - own);
    var box = EMPTY;
    for (var k = 0u; k < 4u; k++) {
        let tag = word & 0xffu;
        word = (word >> 8u) | (next_word << 24u);
        next_word >>= 8u;
        let is_path = at.w < config.n_paths;
        if (tag & TAG_SEGMENT) != 0u && is_path {
            box = join(box, segment_box(tag, word & 0xffu, at));
        }
        if (tag & TAG_PATH) != 0u && is_path {
            join_in_workgroup(at.w, at.w - first_path, box);
            box = EMPTY;
        }
        at += counts_of_tag(tag);
    }
    join_in_workgroup(at.w, at.w - first_path, box);
    workgroupBarrier();
    for (var slot = local; slot < N_SLOTS; slot += WORKGROUP_SIZE) {
        let key = vec4(
            atomicLoad(&slots[4u * slot]),
            atomicLoad(&slots[4u * slot + 1u]),
            atomicLoad(&slots[4u * slot + 2u]),
            atomicLoad(&slots[4u * slot + 3u]),
        );
        if key.x <= key.z {
            join_globally(first_path + slot, key);
        }
    }
}
