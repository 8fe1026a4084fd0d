// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 3 of 5: the boxes of the segments of fills, joined for each path.
//
// The reaches of a path (`path_reach`) are the greatest of its segments, and most segments are nowhere near them. So a workgroup
// first bounds the reaches of each of its segments, cheaply, and joins what they are at least in a slot for each path. Then it
// lists the *jobs*: the segments, and which way, whose bounds say that they may be the furthest of their path; and computes those
// reaches exactly, side by side. They are joined in the same slots: a reach is no less than its bound. Minimum and maximum do not
// round, so order does not matter.

#import path_config
#import path_tag
#import path_arithmetic
#import path_curve
#import path_segment
#import aabb
#import ordered
#import path_reach
#import path_fill_reach
#import path_sums
#import path_slots

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
// What comes before each partition of its group, and before each group.
@group(0) @binding(2) var<storage> partition_counts: array<vec4<u32>>;
@group(0) @binding(3) var<storage> group_counts: array<vec4<u32>>;
// Four words a path.
@group(0) @binding(4) var<storage, read_write> path_keys: array<atomic<i32>>;
#ifdef rounded
// Of each path, its flag of the even-odd rule and the index of its transform.
@group(0) @binding(5) var<storage, read_write> path_draws: array<vec2<u32>>;
#endif

// Transforms and styles of a partition that are in workgroup memory, as many as paths: the first. The others' segments are not
// bounded.
const N_KEPT = N_SLOTS;

// Two each: the bits of a transform's matrix; then of its translation, the largest magnitude of its numbers, and the flags of a
// style. The first hold before the partition.
var<workgroup> kept: array<vec4<u32>, 2u * N_KEPT>;

// The jobs come after the sums.
const MAX_JOBS = 4u * WORKGROUP_SIZE;
var<workgroup> n_jobs: atomic<u32>;

// A transform and the flags of a style of the partition.
struct Kept {
    transform: Transform,
    flags: u32,
}

fn read_kept(local: u32, before: Counts) -> Kept {
    var found: Kept;
    // Transforms and styles hold from the last tag of their kind on.
    let transform = before.x + local - 1u;
    let style = before.y + local - 1u;
    if local < N_KEPT && transform < config.n_transforms {
        found.transform = read_transform(transform);
    }
    if local < N_KEPT && style < config.n_styles {
        found.flags = scene[config.style_base + 2u * style];
    }
    return found;
}

fn join_all(path: u32, slot: u32, reaches: vec4<f32>) {
    if reaches.x == -LARGEST {
        return;
    }
    join_keys(path, slot, ordered_from_f32(reaches));
}

// Bounds of the reaches of the segment of a tag, before which these counts are in the partition: at most -LARGEST of what has no
// ink, at least LARGEST of what is out of range, and at least -LARGEST and at most LARGEST of what nothing is known of.
fn bounds_of_tag(tag: u32, at: Counts, before: Counts) -> ReachBounds {
    let nothing = ReachBounds(vec4(-LARGEST), vec4(-LARGEST));
    let transform = before.x + at.x - 1u;
    let style = before.y + at.y - 1u;
    if transform >= config.n_transforms || style >= config.n_styles {
        return nothing;
    }
    let segment = read_segment(before.z + at.z, tag);
    let is_kept = max(max(at.x, at.y), at.w) < N_KEPT;
    var flags: u32;
    var bits: Transform;
    var greatest = segment.greatest;
    if is_kept {
        let translation = kept[2u * at.x + 1u];
        bits = Transform(kept[2u * at.x], translation.xy);
        greatest = max(greatest, translation.z);
        flags = kept[2u * at.y + 1u].w;
    } else {
        bits = read_transform(transform);
        greatest = max(greatest, greatest_of_transform(bits));
        flags = scene[config.style_base + 2u * style];
    }
    if (flags & STYLE_STROKE) != 0u || greatest >= INFINITY {
        return nothing;
    }
    if is_kept && greatest < UNBOUNDED {
        return reach_bounds(segment, bits);
    }
    if is_beyond_range(bits, exponent_for(segment.greatest)) {
        return ReachBounds(vec4(LARGEST), vec4(-LARGEST));
    }
    return ReachBounds(vec4(-LARGEST), vec4(LARGEST));
}

// The ways, as bits, in which a segment may reach further than its path is known to.
fn open_ways(slot: u32, at_most: vec4<i32>) -> u32 {
    let is_open = at_most > known_reaches(slot);
    return select(0u, 1u, is_open.x) | select(0u, 2u, is_open.y) | select(0u, 4u, is_open.z) | select(0u, 8u, is_open.w);
}

// A segment, and which way its reach is wanted. `begin` is the words of path data before it in the partition; `axis` the bits of
// what x, y and 1 become along the axis.
struct Job {
    begin: u32,
    tag: u32,
    way: u32,
    slot: u32,
    axis: vec3<u32>,
}

// A job in a word, less the way: words of path data, 13 bits; the tag's kind of segment and of numbers, 3; the way, 2; the slot,
// 7; the transform, 7.
fn packed_job(tag: u32, at: Counts) -> u32 {
    return at.z | ((tag & TAG_SEGMENT) << 13u) | ((tag & TAG_F32) << 12u) | (at.w << 18u) | (at.x << 25u);
}

fn unpacked_job(job: u32) -> Job {
    let way = (job >> 16u) & 3u;
    let axis = way & 1u;
    let transform = 2u * (job >> 25u);
    return Job(
        job & 0x1fffu,
        ((job >> 13u) & TAG_SEGMENT) | ((job >> 12u) & TAG_F32),
        way,
        (job >> 18u) & 0x7fu,
        vec3(kept[transform][axis], kept[transform][2u + axis], kept[transform + 1u][axis]),
    );
}

// The job of a tag of this word, before which these counts are, whether or not its transform is kept.
fn job_of_tag(word: u32, k: u32, way: u32, word_at: PackedCounts, before: Counts) -> Job {
    let at = unpacked(word_at + packed_counts_of_word(word & ((1u << (8u * k)) - 1u)));
    let entry = config.transform_base + 6u * (before.x + at.x - 1u) + (way & 1u);
    return Job(at.z, word >> (8u * k), way, at.w, vec3(scene[entry], scene[entry + 2u], scene[entry + 4u]));
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
    if index < config.n_tag_words {
        word = scene[config.path_tag_base + index];
    }
    let before = group_counts[part / PARTITIONS_PER_GROUP] + partition_counts[part];
    let to_keep = read_kept(local, before);
    for (var i = local; i < N_WAYS * N_SLOTS; i += WORKGROUP_SIZE) {
        atomicStore(&slots[i], NO_REACH);
    }
    if local == 0u {
        atomicStore(&n_jobs, 0u);
    }
    if local < N_KEPT {
        let transform = to_keep.transform;
        kept[2u * local] = transform.matrix;
        kept[2u * local + 1u] = vec4(transform.translation, greatest_of_transform(transform), to_keep.flags);
    }
    let own_counts = packed_counts_of_word(word);
    let first_at = sum_up_to(local, own_counts) - own_counts;
    let n_ended = unpacked(counts_up_to(0u, WORKGROUP_SIZE - 1u)).w;

    // The keys of what the segments reach at most, of each tag in a variable of its own. They move up, as registers have no
    // index.
    var at_most_0 = vec4(NO_REACH);
    var at_most_1 = at_most_0;
    var at_most_2 = at_most_0;
    var at_most_3 = at_most_0;
    var at = first_at;
    // What the segments of the path that goes on reach at least, and before it of the first path that ends here: most words end
    // one at most.
    var at_least = vec4(-LARGEST);
    var at_least_first = at_least;
    var first_slot = 0u;
    var has_first = false;
    for (var k = 0u; k < 4u; k++) {
        let tag = (word >> (8u * k)) & 0xffu;
        let counts = unpacked(at);
        at_most_0 = at_most_1;
        at_most_1 = at_most_2;
        at_most_2 = at_most_3;
        at_most_3 = vec4(NO_REACH);
        let path = before.w + counts.w;
        if (tag & TAG_SEGMENT) != 0u && path < config.n_paths {
            let bounds = bounds_of_tag(tag, counts, before);
            at_least = max(at_least, bounds.at_least);
            at_most_3 = ordered_from_f32(bounds.at_most);
        }
        if (tag & TAG_PATH) != 0u && path < config.n_paths {
            if has_first {
                join_all(path, counts.w, at_least);
            } else {
                at_least_first = at_least;
                first_slot = counts.w;
                has_first = true;
            }
            at_least = vec4(-LARGEST);
#ifdef rounded
            let style = before.y + counts.y - 1u;
            var flags = 0u;
            if style < config.n_styles {
                flags = scene[config.style_base + 2u * style];
            }
            path_draws[path] = vec2((flags & STYLE_EVEN_ODD) >> 30u, before.x + counts.x - 1u);
#endif
        }
        at += packed_counts_of_tag(tag);
    }
    join_all(before.w + first_slot, first_slot, at_least_first);
    join_all(before.w + unpacked(at).w, unpacked(at).w, at_least);
    workgroupBarrier();

    // The jobs of the four tags, a bit each way. What reaches no further than is known of the path changes nothing.
    at = first_at;
    var open = 0u;
    for (var k = 0u; k < 4u; k++) {
        open |= open_ways(at.x >> 16u, at_most_0) << (4u * k);
        at_most_0 = at_most_1;
        at_most_1 = at_most_2;
        at_most_2 = at_most_3;
        at += packed_counts_of_tag((word >> (8u * k)) & 0xffu);
    }
    var place = MAX_JOBS;
    // Jobs with what is not kept have no word.
    let end_counts = unpacked(at);
    if open != 0u && max(max(end_counts.x, end_counts.y), end_counts.w) < N_KEPT {
        place = atomicAdd(&n_jobs, countOneBits(open));
    }
    at = first_at;
    for (var k = 0u; k < 4u; k++) {
        let tag = (word >> (8u * k)) & 0xffu;
        let ways = (open >> (4u * k)) & 15u;
        let job = packed_job(tag, unpacked(at));
        #repeat way 4
            if ((ways >> $way) & 1u) != 0u && place < MAX_JOBS {
                pool[place] = job | ($way << 16u);
                place += 1u;
                open ^= 1u << (4u * k + $way);
            }
        #endrepeat
        at += packed_counts_of_tag(tag);
    }
    workgroupBarrier();
    // What the list had no room for is still open.
    let n_listed = min(atomicLoad(&n_jobs), MAX_JOBS);
    place = local;
    while open != 0u || place < n_listed {
        var job: Job;
        if open != 0u {
            let bit = countTrailingZeros(open);
            job = job_of_tag(word, bit / N_WAYS, bit % N_WAYS, first_at, before);
            open &= open - 1u;
        } else {
            job = unpacked_job(pool[place]);
            place += WORKGROUP_SIZE;
        }
        let reach = reach_of_segment(read_segment(before.z + job.begin, job.tag), job.axis, job.way);
        join_way(before.w + job.slot, job.slot, job.way, ordered_from_f32(vec4(reach)).x);
    }
    workgroupBarrier();

    // Neighbours write neighbouring words. The first path may have begun before the partition, and what follows the last that
    // ends here may go on behind it: only these meet others.
    for (var i = local; i < N_WAYS * min(n_ended + 1u, N_SLOTS); i += WORKGROUP_SIZE) {
        let slot = i / N_WAYS;
        let key = atomicLoad(&slots[i]);
        if key != NO_REACH && before.w + slot < config.n_paths {
            if slot == 0u || slot == n_ended {
                join_globally(before.w + slot, i % N_WAYS, key);
            } else {
                atomicStore(&path_keys[N_WAYS * before.w + i], select(negated_key(key), key, (i & 2u) != 0u));
            }
        }
    }
}
