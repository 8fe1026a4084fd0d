//! The suite can fail: stage *path bounds* is broken on purpose, and each time some scene tells.

use boxwood::Aabb;
use boxwood::paths::PathPipelines;
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Numbers, Packed, assert_all_caught, gpu, gpu_path_bounds, gpu_path_bounds_after, path_bounds,
    path_bounds_difference_in_rows, random_encoding, random_streams,
};

use crate::path_bounds::{IDENTITY, P, crowd, edge_at_zero, more_paths_than_said, zigzag};
use crate::path_bounds_fill_scenes::{
    changing_transforms, growing_curves, segments_that_set, sparse_paths, vanishing,
};
use crate::path_bounds_filter::{ALIKE, Alike, Ink, alike_paths, equal_curves, equal_lines};
use crate::path_bounds_stroke_faults::STROKE_FAULTS;
use crate::path_bounds_stroke_scenes::{
    arches, changing_inks, close_to_nothing, crowd_of_strokes, far_origins, hairpins, hooks, late_arches,
    leaving_range, level_turns, miters_at_their_limit,
};
use crate::path_bounds_to_stage::unrounding_differs;

const FAULTS: &[Fault] = &[
    ("path_reduce", "path_keys[path] = NO_INK", ""),
    ("path_reduce", "path += n_workgroups * WORKGROUP_SIZE", "path = config.n_paths"),
    ("path_reduce", "min(begin + WORKGROUP_SIZE, config.n_tag_words)", "begin + WORKGROUP_SIZE"),
    ("path_reduce", "i + 3u * READERS", "i + 2u * READERS"),
    ("path_reduce", "config.has_strokes != 0u", "false"),
    ("path_reduce", "stride > 0u", "stride > 1u"),
    ("path_reduce", "* 15u", "* 3u"),
    ("path_reduce", "i < local; i++", "i < 1u; i++"),
    ("path_reduce", "local > PARTITIONS_PER_GROUP", "local >= PARTITIONS_PER_GROUP"),
    ("path_reduce", "(tags >> 5u)", "(tags >> 4u)"),
    ("path_scan", "counts_before += counts", "counts_before = counts"),
    ("path_scan", "sum - run_sum", "sum"),
    ("path_scan", "group_counts[n_groups] = sum", ""),
    ("path_scan", "path_keys[sum.w] = NO_INK", ""),
    ("path_spans", "sum_up_to(local, own_counts) - own_counts", "sum_up_to(local, own_counts)"),
    ("path_spans", "3u * length)", "2u * length)"),
    ("path_spans", "group_counts[part / PARTITIONS_PER_GROUP] + partition_counts", "partition_counts"),
    ("path_spans", "if at.w < config.n_paths {\n        spans", "if true {\n        spans"),
    ("path_spans", "(TAG_PATH << 24u)) == 0u;", "(TAG_PATH << 24u)) != 0u;"),
    ("path_spans", "begin_path(0u, before);", ""),
    ("path_spans", "begin_path(tag_index + 1u, next);", "begin_path(tag_index, next);"),
    ("path_spans", "config.n_paths + row_of(tag)", "config.n_paths + row_of(tag) + 1u"),
    ("path_spans", "return i < end;", "return true;"),
    ("path_spans", "begin + overhang_tags() / 4u", "begin + overhang_tags() / 2u"),
    ("path_spans", "path_keys[at.w] = NO_INK", ""),
    ("path_spans", "* 0x01020408u) >> 24u", "* 0x01020401u) >> 24u"),
    ("path_spans", "let is_late = k >= 8u", "let is_late = k > 8u"),
    ("path_spans", "select(PackedCounts(0u), before_1, is_odd)", "before_1"),
    ("path_spans", "before_part + unpacked(at + before)", "before_part + unpacked(at)"),
    ("path_spans", "first + k < config.n_tag_words", "first + k + 1u < config.n_tag_words"),
    ("path_spans", "<< ((tag >> 3u) & 1u)", ""),
    ("path_spans_rounded", "(flags & STYLE_EVEN_ODD) >> 30u", "0u"),
    ("path_spans_rounded", "at.x - 1u);", "at.x);"),
    // A walk that goes wrong.
    ("path_fill", "walk.word = tag_word(first / 4u + 1u)", "walk.word = tag_word(first / 4u)"),
    ("path_fill", "walk.is_last = (walk.tag & TAG_PATH) != 0u;", ""),
    ("path_fill", "(walk.word << (31u - shift)) << 1u", "0u"),
    ("path_fill", "first >= walk.end {", "first + 4u >= walk.end {"),
    ("path_fill", "end += overhang_tags();", ""),
    ("path_fill", "spans[number].x == NO_SPAN", "spans[number].x != NO_SPAN"),
    ("path_fill", "walk.styles += (walk.tag >> 6u) & 1u", ""),
    ("path_fill", "walk.is_ink_new = true;\n        }", "}"),
    ("path_fill", "NOT_FINITE, is_stroke(style))", "NOT_FINITE, false)"),
    ("path_fill", "if transform < config.n_transforms && style", "if style"),
    ("path_fill", "<< ((tag >> 3u) & 1u)", ""),
    ("path_fill", "(halves << 16u) >> 16u", "halves & 0xffff"),
    ("path_fill", "config.n_path_data - begin >= n_words", "true"),
    ("path_fill", "if ink.greatest < INFINITY {", "if true {"),
    ("path_fill", "segment.greatest < ink.range {", "segment.greatest < INFINITY {"),
    ("path_fill", "reaches.known = vec4(LARGEST);", ""),
    ("path_fill", "let is_carried = end_at == begin", "let is_carried = end_at != NOWHERE"),
    ("path_fill", "is_ink_new = false;\n            end_at = NOWHERE;", "is_ink_new = false;"),
    ("path_fill", "(walk.tag & TAG_F32) == 0u || ", ""),
    ("path_fill", "== 0u || (at & 1u) != 0u", "== 0u"),
    // Numbers that are off.
    ("path_fill", "scales = vec2(power_of_two(k.x), power_of_two(k.y))", "scales = vec2(power_of_two(k.x))"),
    ("path_fill", "around(inner.point, inner.is_inexact).above", "inner.point"),
    ("path_fill", "around(end.point, end.is_inexact)", "around(end.point, vec2(false))"),
    ("path_fill", "let is_tiny = abs(v) <= vec2(LEAST)", "let is_tiny = vec2(false)"),
    ("path_fill", "(bits >> vec2(31u)) | vec2(1)", "vec2(1)"),
    ("path_fill", "select(0x80000000u, 0u, (way & 2u) != 0u)", "0u"),
    ("path_fill", "+ (linear.rest + low)", "+ linear.rest"),
    ("path_fill", "moved.rest + ", ""),
    ("path_fill", "+ a2 * x2", ""),
    ("path_fill", "& vec2(0xfffff000u)", "& vec2(0xffff0000u)"),
    ("path_fill", "return select(x, vec2(0.0), abs(x) < vec2(least))", "return x"),
    ("path_fill", "select(scaled, vec4(0.0), abs(scaled) < vec4(MATRIX_DUST))", "scaled"),
    ("path_fill", "const SLACK = 32", "const SLACK = 0"),
    ("path_fill", "const MAX_HALVINGS = 14u", "const MAX_HALVINGS = 3u"),
    ("path_fill", "twice.y > twice.x", "twice.y < twice.x"),
    ("path_fill", "sides.y > sides.x", "sides.y < sides.x"),
    // A bound too high or too low.
    ("path_fill", "crests.at_least - error", "crests.at_least + error"),
    ("path_fill", "vec4(bottom.point, top.point)", "vec4(-p1, p1)"),
    ("path_fill", "ends) + error", "ends) - error"),
    ("path_fill", "const ERROR_OF_CURVE = 0x1p-17f", "const ERROR_OF_CURVE = 0.0"),
    ("path_fill", "const ERROR_OF_CREST = 0x1p-8f", "const ERROR_OF_CREST = 0.0"),
    ("path_fill", "+ abs(ink.translation);", ";"),
    ("path_fill", "Inner((p0 + 2.0 * p1) * (1.0 / 3.0)", "Inner(p0"),
    ("path_fill", "+ error < ends", "- error < ends"),
    ("path_fill", "if max(segment.greatest, ink.greatest) < UNBOUNDED {", "if true {"),
    // Jobs that are lost or mistaken.
    ("path_fill", "if any(is_open) {", "if false {"),
    ("path_fill", "min(before.at_most, bounds.at_most) > reaches.known", "bounds.at_most > vec4(LARGEST)"),
    ("path_fill", "before_job, is_furthest[", "job, is_furthest["),
    ("path_fill", "reaches.is_void = true;\n                }", "}"),
    (
        "path_fill",
        "reaches.at_most = max(before.at_most, bounds.at_most)",
        "reaches.at_most = bounds.at_most",
    ),
    ("path_fill", "job & 0x7ffu", "job & 0xffu"),
    ("path_fill", "(job >> 13u) & 0x1ffu", "(job >> 13u) & 0xfu"),
    ("path_fill", "(job >> 22u) & 3u", "(job >> 22u) & 1u"),
    ("path_fill", "n_first + min(atomicLoad(&n_others), MAX_OTHERS)", "n_first"),
    ("path_fill", "i += SPANS_PER_WORKGROUP", "i = n_jobs"),
    // What is written in the wrong place or not at all.
    ("path_fill", "number >= config.n_paths || !reaches.is_last", "!reaches.is_last"),
    ("path_fill", "number >= config.n_paths || !reaches.is_last", "number >= config.n_paths"),
    ("path_fill", "edges = f32_from_ordered(keys)", ""),
    ("path_fill", "edges = vec4(0.0);\n    }\n    if", "}\n    if"),
    ("path_fill", "atomicStore(&path_keys[first + 2u], keys.z)", ""),
    ("path_fill", "atomicMin(&path_keys[first + 1u], keys.y)", ""),
    ("path_fill", "bits ^ vec4(0x7fffffff)", "bits"),
    ("path_fill", "keys == vec4(-1)", "vec4(false)"),
    // A barrier that is missing, before the jobs are listed and before they are done.
    ("path_fill", "workgroupBarrier();\n{", "{"),
    ("path_fill", "storageBarrier();\n    workgroupBarrier();", ""),
    ("path_scan", "n_jobs = vec4(0u);", ""),
    ("path_finish", "edges.x >= edges.z || edges.y >= edges.w", "edges.x >= edges.z"),
    ("path_finish", "key < vec4(0)", "key > vec4(0)"),
    ("path_finish_rounded", "edges.z > edges.x || edges.w > edges.y", "edges.z > edges.x"),
    ("path_finish_rounded", "ceil(edges.zw)", "floor(edges.zw)"),
    ("path_finish_rounded", "v >= vec2(0x1p31f)", "vec2(false)"),
    ("path_finish_rounded", "if path < n_ended {\n        draws", "if true {\n        draws"),
    ("path_finish", "if path < n_ended && config", "if config"),
    ("path_finish", "config.has_fills != 0u", "true"),
    ("path_finish", "path <= n_ended && (", "("),
    ("path_finish", "path <= n_ended && (", "path < n_ended && ("),
    ("path_finish", "edges.x == LARGEST", "false"),
    ("path_finish", "config.has_strokes != 0u ||", ""),
    ("path_finish", "is_joined || is_empty", "is_joined"),
    ("path_unround", "bbox.y0 >= bbox.y1", "false"),
    ("path_unround", "<< dropped", "<< 0u"),
    ("path_unround", "v >> dropped", "v"),
];

#[test]
fn every_shader_has_a_fault_in_the_list() {
    for shader in PathPipelines::shaders() {
        let mut faults = FAULTS.iter().chain(STROKE_FAULTS);
        assert!(faults.any(|fault| fault.0 == shader.name), "{} is never broken", shader.name);
    }
}

#[test]
fn every_fault_is_caught() {
    assert_every_one_is_caught(FAULTS);
}

#[test]
fn every_fault_of_strokes_is_caught() {
    assert_every_one_is_caught(STROKE_FAULTS);
}

fn assert_every_one_is_caught(faults: &[Fault]) {
    let mut scenes: Vec<Packed> = (0..30).map(|seed| random_streams(1500, Numbers::Any, seed)).collect();
    scenes.push(edge_at_zero());
    scenes.push(Packed::of(&random_encoding(3000, 1)));
    scenes.push(random_streams(70 * P, Numbers::Moderate, 2));
    scenes.push(Packed::of_streams(&[0x10].repeat(2000), &[], &[], &[]));
    scenes.push(equal_lines([0, 0]));
    scenes.push(equal_lines([1 << 31, 1.5_f32.to_bits()]));
    scenes.push(equal_curves([0, 0]));
    scenes.push(equal_curves([1 << 31, 1.5_f32.to_bits()]));
    scenes.extend([changing_inks(), arches(), more_paths_than_said()]);
    scenes.push(alike_paths(Ink::Fill, Alike::Scales, 3 * P, 1, 77));
    scenes.extend([vanishing(), segments_that_set()]);
    scenes.push(growing_curves());
    scenes.extend([crowd_of_strokes(), hooks(2), hooks(100)]);
    scenes.extend([leaving_range(), far_origins()]);
    scenes.extend([close_to_nothing(), level_turns(), miters_at_their_limit()]);
    for (seed, alike) in (0..).zip(ALIKE) {
        for every in [2, 8, 3000] {
            scenes.push(alike_paths(Ink::Fill, alike, 3 * P, every, seed));
            scenes.push(alike_paths(Ink::Stroke, alike, 2 * P, every, !seed));
        }
    }
    scenes.push(crowd());
    scenes.push(hairpins());
    // A path whose last point is cut off, which reads on in the next stream.
    scenes.push(Packed::of_streams(&[0x20, 0x40, 9, 9, 0x10], &zigzag(2)[..5], &[IDENTITY], &[[0, 0]]));
    // More paths than the tags end, after a scene that has them all.
    let all = random_streams(3 * P, Numbers::Moderate, 3);
    let mut tags = vec![0x20, 0x40, 9, 0x10];
    tags.resize(all.layout.n_paths as usize, 0);
    let mut fewer = Packed::of_streams(&tags, &zigzag(1), &[IDENTITY], &[[0, 0]]);
    fewer.layout.n_paths = all.layout.n_paths;
    // A path without ink, and one that has no end.
    let mut fills =
        Packed::of_streams(&[0x20, 0x40, 9, 0x10, 0x10, 9, 0, 0], &zigzag(2), &[IDENTITY], &[[0, 0]]);
    fills.layout.n_paths = 5;
    let mut no_paths = Packed::of_streams(&[0x20, 0x40, 9, 0x10], &zigzag(1), &[IDENTITY], &[[0, 0]]);
    no_paths.layout.n_paths = 0;
    let successions: Vec<_> = [
        (all, fewer),
        (crowd_of_strokes(), fills),
        (no_paths, changing_inks()),
        (hooks(2), crowd_of_strokes()),
    ]
    .into_iter()
    .map(|(before, after)| {
        let streams = after.streams();
        let expected = (boxwood_cpu::paths::path_boxes(&streams), boxwood_cpu::paths::path_bboxes(&streams));
        (before, after, expected)
    })
    .collect();
    // So many partitions that each invocation of the scan has several groups of them.
    let large = sparse_paths(5000);
    let of_large = boxwood_cpu::paths::path_boxes(&large.streams());
    // Spans of many tags and of many transforms.
    let mut long_rows = vec![equal_curves([0, 0]), growing_curves(), Packed::of(&random_encoding(1000, 3))];
    long_rows.push(alike_paths(Ink::Stroke, Alike::NearlyEqual, 3 * P, 100, 5));
    // Directions that are next to nothing along an axis.
    long_rows.push(alike_paths(Ink::Stroke, Alike::Odd, 2 * P, 1, 28));
    long_rows.extend([arches(), late_arches()]);
    long_rows.push(changing_transforms());
    let expected: Vec<_> = scenes
        .iter()
        .map(|scene| {
            (
                boxwood_cpu::paths::path_boxes(&scene.streams()),
                boxwood_cpu::paths::path_bboxes(&scene.streams()),
            )
        })
        .collect();
    let is_caught = |path_bounds: &PathPipelines, shader: &str| {
        successions.iter().any(|(before, after, expected)| {
            gpu_path_bounds_after(path_bounds, before, after, true) != *expected
                || gpu_path_bounds_after(path_bounds, before, after, false).0 != expected.0
        }) || unrounding_differs(path_bounds)
            || scenes.iter().zip(&expected).any(|(scene, expected)| {
                let (boxes, bboxes) = gpu_path_bounds(path_bounds, scene, true);
                let bits = |boxes: &[Aabb]| bytemuck::cast_slice::<_, u32>(boxes).to_vec();
                bits(&boxes) != bits(&expected.0)
                    || bboxes != expected.1
                    || bits(&gpu_path_bounds(path_bounds, scene, false).0) != bits(&expected.0)
            })
            || (["path_fill", "path_stroke", "path_inside", "path_pieces", ""].contains(&shader)
                && long_rows.iter().any(|scene| {
                    path_bounds_difference_in_rows(path_bounds, scene, false, Some(256)).is_some()
                }))
            || (["path_scan", ""].contains(&shader)
                && gpu_path_bounds(path_bounds, &large, false).0 != of_large)
    };
    assert!(!is_caught(path_bounds(), ""), "the shaders as they are pass");
    // A fault can send other shaders astray: wgpu checks what all of them do.
    let checked = PathPipelines::with_sources(&gpu().device, |shader| shader.source.to_owned());
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(faults, compile, is_caught);
}
