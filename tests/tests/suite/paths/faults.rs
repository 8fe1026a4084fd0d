//! Planted faults in every shader of the stage. Some scene must show each of them.

use boxwood::Aabb;
use boxwood::Context;
use boxwood::paths::RoundedBox;
use boxwood_cpu::paths::twin;
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Numbers, Packed, assert_all_caught, bounded_source, context, gpu, gpu_path_boxes,
    gpu_path_boxes_after, path_boxes_difference_in_rows, random_encoding, random_streams,
};
use vello_encoding::Style;

use super::element_boxes::unrounding_differs;
use super::fill_scenes::{changing_transforms, growing_curves, segments_that_set, sparse_paths, vanishing};
use super::near_ties::{ALIKE, Alike, Drawn, alike_paths, equal_curves, equal_lines};
use super::parity::{IDENTITY, P, crowd, edge_at_zero, more_paths_than_announced, zigzag};
use super::stroke_faults::STROKE_FAULTS;
use super::stroke_scenes::{
    arches, changing_styles, close_to_nothing, crowd_of_strokes, far_origins, hairpins, hooks, late_arches,
    leaving_range, level_turns, miters_at_their_limit,
};

const FAULTS: &[Fault] = &[
    ("path_reduce", "path_keys[path] = EMPTY_KEYS", ""),
    ("path_reduce", "path += n_invocations", "path = config.n_paths"),
    ("path_reduce", "min(begin + WORKGROUP_SIZE, config.n_tag_words)", "begin + WORKGROUP_SIZE"),
    ("path_reduce", "i + 3u * READERS", "i + 2u * READERS"),
    ("path_reduce", "config.has_strokes != 0u", "false"),
    ("path_reduce", "stride > 0u", "stride > 1u"),
    ("path_reduce", "* 15u", "* 3u"),
    ("path_reduce", "i < local; i++", "i < 1u; i++"),
    ("path_reduce", "local > PARTITIONS_PER_GROUP", "local >= PARTITIONS_PER_GROUP"),
    ("path_reduce", "(tags >> 5u)", "(tags >> 4u)"),
    ("path_scan", "3u * length)", "2u * length)"),
    ("path_scan", "counts_before += counts", "counts_before = counts"),
    ("path_scan", "sum - run_sum", "sum"),
    ("path_scan", "group_counts[n_groups] = sum", ""),
    ("path_scan", "path_keys[sum.w] = EMPTY_KEYS", ""),
    ("path_spans", "prefix_sum(local, own_counts) - own_counts", "prefix_sum(local, own_counts)"),
    ("path_spans", "3u * length)", "2u * length)"),
    ("path_spans", "group_counts[part / PARTITIONS_PER_GROUP] + partition_counts", "partition_counts"),
    ("path_spans", "if at.w < config.n_paths {\n        spans", "if true {\n        spans"),
    ("path_spans", "(TAG_PATH << 24u)) == 0u;", "(TAG_PATH << 24u)) != 0u;"),
    ("path_spans", "begin_path(0u, before);", ""),
    ("path_spans", "begin_path(tag_index + 1u, next);", "begin_path(tag_index, next);"),
    ("path_spans", "config.n_paths + row_of(tag)", "config.n_paths + row_of(tag) + 1u"),
    ("path_spans", "return i < end;", "return true;"),
    ("path_spans", "begin + overhang_tags() / 4u", "begin + overhang_tags() / 2u"),
    ("path_spans", "path_keys[at.w] = EMPTY_KEYS", ""),
    ("path_spans", "* 0x01020408u) >> 24u", "* 0x01020401u) >> 24u"),
    ("path_spans", "let is_upper = k >= 8u", "let is_upper = k > 8u"),
    ("path_spans", "select(PackedCounts(0u), before_1, is_odd)", "before_1"),
    ("path_spans", "before_part + unpacked(at + before)", "before_part + unpacked(at)"),
    ("path_spans", "first + k < config.n_tag_words", "first + k + 1u < config.n_tag_words"),
    ("path_spans", "<< ((tag >> 3u) & 1u)", ""),
    ("path_spans_rounded", "(flags & STYLE_EVEN_ODD) >> 30u", "0u"),
    ("path_spans_rounded", "at.x - 1u);", "at.x);"),
    // A walk that reads or keeps the wrong state.
    ("path_fill", "walk.word = tag_word(first / 4u + 1u)", "walk.word = tag_word(first / 4u)"),
    ("path_fill", "walk.is_last = (walk.tag & TAG_PATH) != 0u;", ""),
    ("path_fill", "(walk.word << (31u - shift)) << 1u", "0u"),
    ("path_fill", "first >= walk.end {", "first + 4u >= walk.end {"),
    ("path_fill", "end += overhang_tags();", ""),
    ("path_fill", "spans[number].x == NO_SPAN", "spans[number].x != NO_SPAN"),
    ("path_fill", "walk.styles += (walk.tag >> 6u) & 1u", ""),
    ("path_fill", "walk.is_state_new = true;\n        }", "}"),
    ("path_fill", "NOT_FINITE, is_stroke)", "NOT_FINITE, false)"),
    ("path_fill", "if transform < config.n_transforms && style", "if style"),
    ("path_fill", "<< ((tag >> 3u) & 1u)", ""),
    ("path_fill", "(halves << 16u) >> 16u", "halves & 0xffff"),
    ("path_fill", "config.n_path_data - begin >= n_words", "true"),
    ("path_fill", "if placement.greatest < INFINITY {", "if true {"),
    ("path_fill", "segment.greatest < placement.range {", "segment.greatest < INFINITY {"),
    ("path_fill", "extents.known = vec4(LARGEST);", ""),
    ("path_fill", "let is_shared = end_at == begin", "let is_shared = end_at != NO_DATA"),
    ("path_fill", "is_state_new = false;\n            end_at = NO_DATA;", "is_state_new = false;"),
    ("path_fill", "(walk.tag & TAG_F32) == 0u || ", ""),
    ("path_fill", "== 0u || (at & 1u) != 0u", "== 0u"),
    // Wrong numbers.
    ("path_fill", "scales = vec2(power_of_two(k.x), power_of_two(k.y))", "scales = vec2(power_of_two(k.x))"),
    ("path_fill", "around(inner.point, inner.is_inexact).above", "inner.point"),
    ("path_fill", "around(end.point, end.is_inexact)", "around(end.point, vec2(false))"),
    ("path_fill", "let is_tiny = abs(v) <= vec2(MIN_COORDINATE)", "let is_tiny = vec2(false)"),
    ("path_fill", "(bits >> vec2(31u)) | vec2(1)", "vec2(1)"),
    ("path_fill", "select(0x80000000u, 0u, (side & 2u) != 0u)", "0u"),
    ("path_fill", "+ (linear.rest + low)", "+ linear.rest"),
    ("path_fill", "moved.rest + ", ""),
    ("path_fill", "+ a2 * x2", ""),
    ("path_fill", "& vec2(0xfffff000u)", "& vec2(0xffff0000u)"),
    ("path_fill", "return select(x, vec2(0.0), abs(x) < vec2(least))", "return x"),
    ("path_fill", "flushed2(axis * scale, MATRIX_EPSILON)", "axis * scale"),
    ("path_fill", "const EXTREMUM_SLACK = 32i", "const EXTREMUM_SLACK = 0i"),
    ("path_fill", "const MAX_HALVINGS = 14u", "const MAX_HALVINGS = 3u"),
    ("path_fill", "twice.y > twice.x", "twice.y < twice.x"),
    ("path_fill", "sides.y > sides.x", "sides.y < sides.x"),
    // Bounds that are too high or too low.
    ("path_fill", "bounds.at_least - error", "bounds.at_least + error"),
    ("path_fill", "vec4(-lower.point, upper.point)", "vec4(-c.p1, c.p1)"),
    ("path_fill", "ends) + error", "ends) - error"),
    ("path_fill", "const RELATIVE_ERROR = 0x1p-17f", "const RELATIVE_ERROR = 0.0"),
    ("path_fill", "const ERROR_IN_PIXELS = 0x1p-8f", "const ERROR_IN_PIXELS = 0.0"),
    ("path_fill", "+ abs(placement.translation);", ";"),
    ("path_fill", "Cubic(p0, (p0 + 2.0 * p1) * (1.0 / 3.0)", "Cubic(p0, p0"),
    ("path_fill", "+ error < ends", "- error < ends"),
    ("path_fill", "if max(segment.greatest, placement.greatest) < MAX_BOUNDED {", "if true {"),
    // Jobs that are lost or confused.
    ("path_fill", "if any(is_open) {", "if false {"),
    ("path_fill", "min(before.at_most, bounds.at_most) > extents.known", "bounds.at_most > vec4(LARGEST)"),
    ("path_fill", "before_job, is_candidate[", "job, is_candidate["),
    ("path_fill", "extents.is_void = true;\n                }", "}"),
    (
        "path_fill",
        "extents.at_most = max(before.at_most, bounds.at_most)",
        "extents.at_most = bounds.at_most",
    ),
    ("path_fill", "job & 0x7ffu", "job & 0xffu"),
    ("path_fill", "(job >> 13u) & 0x1ffu", "(job >> 13u) & 0xfu"),
    ("path_fill", "(job >> 22u) & 3u", "(job >> 22u) & 1u"),
    ("path_fill", "n_first + min(atomicLoad(&n_extra_jobs), MAX_EXTRA_JOBS)", "n_first"),
    ("path_fill", "i += SPANS_PER_WORKGROUP", "i = n_jobs"),
    // Results that are written to the wrong place, or not at all.
    ("path_fill", "number >= config.n_paths || !extents.is_last", "!extents.is_last"),
    ("path_fill", "number >= config.n_paths || !extents.is_last", "number >= config.n_paths"),
    ("path_fill", "edges = f32_from_ordered(keys)", ""),
    ("path_fill", "edges = vec4(0.0);\n    }\n    if", "}\n    if"),
    ("path_fill", "atomicStore(&path_keys[N_SIDES * span.path + 2u], keys[2u])", ""),
    ("path_fill", "add_extent(path, 1u, extents[1u])", ""),
    ("path_fill", "bits ^ vec4(0x7fffffff)", "bits"),
    ("path_fill", "keys == vec4(-1)", "vec4(false)"),
    // Missing barriers before the jobs are listed and before they are done.
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
    ("path_unround", "rounded.y0 >= rounded.y1", "false"),
    ("path_unround", "<< dropped", "<< 0u"),
    ("path_unround", "v >> dropped", "v"),
];

#[test]
fn every_shader_has_a_fault_in_the_list() {
    for shader in boxwood_shaders::paths::all() {
        let mut faults = FAULTS.iter().chain(STROKE_FAULTS);
        assert!(faults.any(|fault| fault.0 == shader.name), "{} is never broken", shader.name);
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_fault_is_caught() {
    assert_every_fault_is_caught(FAULTS);
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_fault_of_strokes_is_caught() {
    assert_every_fault_is_caught(STROKE_FAULTS);
}

fn assert_every_fault_is_caught(faults: &[Fault]) {
    let evidence = Evidence::new();
    assert!(!evidence.convicts(context(), ""), "the shaders without a fault pass");
    // A fault can make other shaders go wrong too, so all of them are compiled with wgpu's runtime
    // checks.
    let checked = Context::new(&gpu().device).with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(faults, compile, |broken, shader| evidence.convicts(broken, shader));
}

/// The boxes of a scene.
type Expected = (Vec<Aabb>, Vec<RoundedBox>);

/// Scenes that show the faults, with the boxes of the twin.
struct Evidence {
    scenes: Vec<(Packed, Expected)>,
    /// Pairs of scenes that use the same buffers one after the other.
    successions: Vec<(Packed, Packed, Expected)>,
    /// Scenes for rows of 256 tags, whose spans have many tags and many transforms.
    long_rows: Vec<Packed>,
    /// So many partitions that each invocation of the scan has several groups.
    large: (Packed, Expected),
}

fn with_expected(scene: Packed) -> (Packed, Expected) {
    let expected = (twin::path_boxes(&scene.streams()), twin::rounded_boxes(&scene.streams()));
    (scene, expected)
}

impl Evidence {
    fn new() -> Self {
        let with_scene_before = |(before, after): (Packed, Packed)| {
            let (after, expected) = with_expected(after);
            (before, after, expected)
        };
        Self {
            scenes: scenes().into_iter().map(with_expected).collect(),
            successions: successions().into_iter().map(with_scene_before).collect(),
            long_rows: long_rows(),
            large: with_expected(sparse_paths(5000)),
        }
    }

    /// Whether some scene shows that the shaders are wrong, given the name of the faulty one.
    fn convicts(&self, context: &Context, shader: &str) -> bool {
        let has_spans = ["path_fill", "path_stroke", "path_inside", "path_pieces", ""].contains(&shader);
        let has_scan = ["path_scan", ""].contains(&shader);
        let is_wrong_in_rows =
            |scene| path_boxes_difference_in_rows(context, scene, false, Some(256)).is_some();
        self.successions.iter().any(|(before, after, expected)| {
            gpu_path_boxes_after(context, before, after, true) != *expected
                || gpu_path_boxes_after(context, before, after, false).0 != expected.0
        }) || unrounding_differs(context)
            || self.scenes.iter().any(|(scene, expected)| is_wrong(context, scene, expected))
            || (has_spans && self.long_rows.iter().any(is_wrong_in_rows))
            || (has_scan && gpu_path_boxes(context, &self.large.0, false).0 != self.large.1.0)
    }
}

fn is_wrong(context: &Context, scene: &Packed, expected: &Expected) -> bool {
    let bits = |boxes: &[Aabb]| bytemuck::cast_slice::<_, u32>(boxes).to_vec();
    let (boxes, rounded) = gpu_path_boxes(context, scene, true);
    bits(&boxes) != bits(&expected.0)
        || rounded != expected.1
        || bits(&gpu_path_boxes(context, scene, false).0) != bits(&expected.0)
}

fn scenes() -> Vec<Packed> {
    let mut scenes: Vec<Packed> = (0..30).map(|seed| random_streams(1500, Numbers::Any, seed)).collect();
    scenes.push(edge_at_zero());
    scenes.push(Packed::of(&random_encoding(3000, 1)));
    scenes.push(random_streams(70 * P, Numbers::Moderate, 2));
    scenes.push(Packed::of_streams(&[0x10].repeat(2000), &[], &[], &[]));
    let styles = [[0, 0], [1 << 31, 1.5_f32.to_bits()]];
    scenes.extend(styles.map(equal_lines));
    scenes.extend(styles.map(equal_curves));
    scenes.extend([changing_styles(), arches(), more_paths_than_announced()]);
    scenes.push(alike_paths(Drawn::Fill, Alike::Scales, 3 * P, 1, 77));
    scenes.extend([vanishing(), segments_that_set(), growing_curves()]);
    scenes.extend([crowd_of_strokes(), hooks(2), hooks(100), leaving_range(), far_origins()]);
    scenes.extend([close_to_nothing(), level_turns(), miters_at_their_limit()]);
    for (seed, alike) in (0..).zip(ALIKE) {
        for every in [2, 8, 3000] {
            scenes.push(alike_paths(Drawn::Fill, alike, 3 * P, every, seed));
            scenes.push(alike_paths(Drawn::Stroke, alike, 2 * P, every, !seed));
        }
    }
    scenes.extend([crowd(), hairpins()]);
    // A path whose last point is missing. A faulty shader reads on in the next stream.
    scenes.push(Packed::of_streams(&[0x20, 0x40, 9, 9, 0x10], &zigzag(2)[..5], &[IDENTITY], &[[0, 0]]));
    // A stroke with a cap, before a tag that has path data and no segment.
    let style = [Style::FLAGS_STYLE_BIT | Style::FLAGS_CAP_BITS_ROUND, 1.5_f32.to_bits()];
    scenes.push(Packed::of_streams(&[0x20, 0x40, 9, 0x1c, 9, 0x10], &zigzag(3), &[IDENTITY], &[style]));
    scenes
}

fn successions() -> [(Packed, Packed); 4] {
    let fill = |tags: &[u8], n_lines, n_paths| {
        let mut scene = Packed::of_streams(tags, &zigzag(n_lines), &[IDENTITY], &[[0, 0]]);
        scene.layout.n_paths = n_paths;
        scene
    };
    // More paths than the tags end, after a scene with all of them.
    let all = random_streams(3 * P, Numbers::Moderate, 3);
    let n_paths = all.layout.n_paths;
    let mut tags = vec![0x20, 0x40, 9, 0x10];
    tags.resize(n_paths as usize, 0);
    let fewer = fill(&tags, 1, n_paths);
    // A path without segments, and one without an end.
    let fills = fill(&[0x20, 0x40, 9, 0x10, 0x10, 9, 0, 0], 2, 5);
    let no_paths = fill(&[0x20, 0x40, 9, 0x10], 1, 0);
    [(all, fewer), (crowd_of_strokes(), fills), (no_paths, changing_styles()), (hooks(2), crowd_of_strokes())]
}

fn long_rows() -> Vec<Packed> {
    vec![
        equal_curves([0, 0]),
        growing_curves(),
        Packed::of(&random_encoding(1000, 3)),
        alike_paths(Drawn::Stroke, Alike::NearlyEqual, 3 * P, 100, 5),
        // Directions that are almost perpendicular to an axis.
        alike_paths(Drawn::Stroke, Alike::Odd, 2 * P, 1, 28),
        arches(),
        late_arches(),
        changing_transforms(),
    ]
}
