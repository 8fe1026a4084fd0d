//! The clipped boxes alone equal those of the specification, bit for bit.

use boxwood::{Aabb, Algorithm, Context, LimitsError, Outputs, Scene, SceneBoxes};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Random, Shapes, assert_all_caught, bounded_source, context, families, family, gpu,
    gpu_clipped_boxes_after, is_tried, nest_clipped_outermost, scene_of,
};

const W: usize = boxwood::WORKGROUP_SIZE as usize;
const P: usize = boxwood::testing::PARTITION_LENGTH as usize;
const BOXES: [Shapes; 3] = [Shapes::Large, Shapes::Any, Shapes::Odd];

/// The algorithms that compute the clipped boxes alone, and can hold a scene.
fn algorithms(scene: &Scene) -> impl Iterator<Item = Algorithm> {
    let is_able = |algorithm: &Algorithm| {
        SceneBoxes::with_algorithm(context(), Outputs::CLIPPED, *algorithm, scene.len(), scene.len()).is_ok()
    };
    Algorithm::ALL.iter().copied().filter(is_able)
}

/// The clipped boxes of the specification.
fn expected(scene: &Scene) -> Vec<Aabb> {
    boxwood_cpu::specification::boxes(scene).clipped_boxes
}

#[track_caller]
fn check(name: &str, stream: &str, boxes: Shapes) {
    let scene = scene_of(stream, boxes, stream.len() as u64);
    let expected = expected(&scene);
    for algorithm in algorithms(&scene) {
        let found = gpu_clipped_boxes_after(context(), algorithm, &scene, &scene);
        let different = expected.iter().zip(&found).position(|(expected, found)| expected != found);
        assert_eq!(different, None, "{name}, {} elements, {boxes:?}, {algorithm:?}", scene.len());
    }
}

#[test]
fn families_agree_at_the_borders_of_partitions() {
    let sizes = [0, 1, W - 1, W, W + 1, 3 * W, P - 1, P, P + 1, 3 * P + 7, 16 * W, 16 * W + 1];
    for (index, family) in families().into_iter().enumerate() {
        for (at, n) in sizes.into_iter().enumerate().filter(|(at, _)| is_tried(index + at)) {
            check(family.name, &family.generate(n, n as u64), BOXES[(index + at) % BOXES.len()]);
        }
    }
}

/// The borders between algorithms, and between numbers of partitions per invocation.
#[test]
fn families_agree_at_the_limits_of_the_algorithms() {
    for (index, family) in families().into_iter().enumerate() {
        let large = [P * W + 1, 2 * P * W + 1, 4 * P * W, 4 * P * W + 1][index % 4];
        for (_, n) in (index..).zip([W * W, W * W + 1, large]).filter(|(number, _)| is_tried(*number)) {
            check(family.name, &family.generate(n, 3), BOXES[index % BOXES.len()]);
        }
    }
}

#[test]
fn families_agree_when_shifted() {
    for (index, family) in families().into_iter().enumerate() {
        let shifts = (index..).zip([1, 3, 8, 31, 33, 64, 127, 129]);
        for (_, shift) in shifts.filter(|(number, _)| is_tried(*number)) {
            let stream = "(".repeat(shift) + &family.generate(P, 5);
            check(family.name, &stream, Shapes::Large);
        }
    }
}

#[test]
fn nests_of_any_depth_agree() {
    for depth in [1, W - 1, W, W + 1, 1000, W * W / 2] {
        check("nest", &("(.".repeat(depth) + &").".repeat(depth)), Shapes::Large);
    }
}

#[test]
fn random_streams_agree() {
    let mut random = Random::new(11);
    for _ in 0..200 {
        let n = random.below(3 * P);
        let stream: String = (0..n).map(|_| ["(", ")", ".", "_"][random.below(4)]).collect();
        check("random", &stream, BOXES[random.below(3)]);
    }
}

#[test]
fn a_scene_that_is_too_large_for_an_algorithm_is_refused() {
    for &algorithm in Algorithm::ALL {
        let n = usize::try_from(algorithm.limits().max_elements).unwrap_or(usize::MAX).saturating_add(1);
        let made = SceneBoxes::with_algorithm(context(), Outputs::CLIPPED, algorithm, n, 0);
        assert!(matches!(made, Err(LimitsError::Elements { .. })), "{algorithm:?}");
    }
}

/// A store of the clipped boxes of leaves alone, so that other elements keep what was there before.
pub(super) const STORED_IF_LEAF: (&str, &str) = (
    "clipped_boxes[element] = select(EMPTY, box, ((leaves_of(quads[quad]) >> i) & 1u) != 0u)",
    "if ((leaves_of(quads[quad]) >> i) & 1u) != 0u { clipped_boxes[element] = box; }",
);

const FAULTS: &[Fault] = &[
    ("small_clip", "clipped_boxes[index]", "clipped_boxes[part]"),
    ("small_clip", "canonical(meet(stack.clip_box, own_box))", "meet(stack.clip_box, own_box)"),
    ("small_clip", "meet(stack.clip_box, own_box)", "own_box"),
    ("small_clip", "var clipped_box = EMPTY", "var clipped_box = PLANE"),
    ("fused_reduce_clipped", "+ max(n_open, high.n_ends) - n_open", ""),
    ("fused_reduce_clipped", "below = meet(below, staged_boxes[n_staged - 1u])", ""),
    ("fused_before_clipped", "let first_box = part * PARTITION_LENGTH", "let first_box = part"),
    ("fused_before_clipped", "meet(enclosing[source].clip_box, ", "meet(PLANE, "),
    ("fused_before_two_level_clipped", "let first_box = part * PARTITION_LENGTH", "let first_box = part"),
    ("fused_before_two_level_clipped", "box = scanned_boxes[invocation - 1u]", ""),
    ("fused_clip", "before.part * PARTITION_LENGTH + depth", "before.part * PARTITION_LENGTH"),
    ("fused_clip", "element_place(local, 2u), boxes[2u]", "element_place(local, 2u), boxes[1u]"),
    ("fused_clip", "let quad = half_start + slot / QUAD_LENGTH", "let quad = slot / QUAD_LENGTH"),
    ("fused_clip", STORED_IF_LEAF.0, STORED_IF_LEAF.1),
    ("fused_clip", "select(EMPTY, box, ", "select(PLANE, box, "),
    ("fused_clip", "canonical(box)", "box"),
    ("fused_clip", "n_bases < summaries[before.part].n_levels", "n_bases < 4u"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_fault_is_caught() {
    let mut scenes = Vec::new();
    for family in families() {
        scenes.push(scene_of(&family.generate(5 * 256 + 7, 1), Shapes::Odd, 1));
        scenes.push(scene_of(&family.generate(3 * 1024 + 5, 3), Shapes::Large, 3));
    }
    scenes.extend([700, 10_000, 300_000].map(nest_clipped_outermost));
    scenes.push(scene_of(&family("random walk").generate(300_000, 1), Shapes::Large, 1));
    let expected: Vec<_> = scenes.iter().map(expected).collect();
    let is_caught = |context: &Context| {
        scenes.iter().zip(&expected).any(|(scene, expected)| {
            algorithms(scene)
                .any(|algorithm| gpu_clipped_boxes_after(context, algorithm, scene, scene) != *expected)
        })
    };
    assert!(!is_caught(context()), "the shaders pass without a fault");
    let checked = Context::new(&gpu().device).with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(FAULTS, compile, |broken, _| is_caught(broken));
}
