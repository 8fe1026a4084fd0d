//! The boxes of the GPU equal those of the specification, bit for bit.

use boxwood::{Algorithm, Entry, LimitsError, Outputs, SceneBoxes};
use boxwood_tests::{
    OUTERMOST_CLIP_BOX, Shapes, algorithms_for, assert_same, context, families, family, gpu, gpu_boxes,
    gpu_boxes_after, gpu_boxes_with, is_tried, nest_clipped_outermost, sampled, scene_of,
};

const W: usize = boxwood::WORKGROUP_SIZE as usize;

/// The elements of a partition of the fused algorithms.
const P: usize = boxwood::testing::PARTITION_LENGTH as usize;

const BOXES: [Shapes; 3] = [Shapes::Large, Shapes::Any, Shapes::Odd];

#[track_caller]
fn check(name: &str, stream: &str, boxes: Shapes) {
    let scene = scene_of(stream, boxes, stream.len() as u64);
    let expected = boxwood_cpu::specification::boxes(&scene);
    for algorithm in algorithms_for(&scene) {
        let found = gpu_boxes_with(context(), algorithm, &scene);
        assert_same((name, stream.len(), boxes, algorithm), &expected, &found);
    }
}

/// Every family at sizes around each border between partitions, with alternating kinds of boxes.
#[test]
fn families_agree_at_the_borders_of_partitions() {
    let sizes = [
        0,
        1,
        2,
        3,
        W - 1,
        W,
        W + 1,
        2 * W - 1,
        2 * W,
        2 * W + 1,
        3 * W,
        P - 1,
        P,
        P + 1,
        2 * P + 1,
        3 * P + 7,
    ];
    for (index, family) in families().into_iter().enumerate() {
        for (at, n) in sizes.into_iter().enumerate().filter(|(at, _)| is_tried(index + at)) {
            check(family.name, &family.generate(n, n as u64), BOXES[(index + at) % BOXES.len()]);
        }
    }
}

/// Every family at the maximum size of the algorithms for small scenes and node streams.
#[test]
fn families_agree_at_the_limit_of_small_scenes() {
    for (index, family) in families().into_iter().enumerate() {
        for (_, n) in (index..).zip([W * W - 1, W * W]).filter(|(number, _)| is_tried(*number)) {
            check(family.name, &family.generate(n, 3), BOXES[index % BOXES.len()]);
        }
    }
}

/// Every family, shifted by begins across the border of a partition.
#[test]
fn families_agree_when_shifted() {
    for (index, family) in families().into_iter().enumerate() {
        let shifts = (index..).zip([1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129]);
        for (_, shift) in shifts.filter(|(number, _)| is_tried(*number)) {
            let stream = "(".repeat(shift) + &family.generate(P, 5);
            check(family.name, &stream, Shapes::Large);
        }
    }
}

#[test]
fn nests_of_any_depth_agree() {
    for depth in [1, W - 1, W, W + 1, 1000, W * W / 2] {
        let nest = "(".repeat(depth) + "." + &")".repeat(depth);
        check("nest", &nest, Shapes::Large);
        let with_leaves = "(.".repeat(depth) + &").".repeat(depth);
        check("nest with leaves", &with_leaves, Shapes::Large);
        check("left open", &"(.".repeat(depth), Shapes::Large);
    }
}

/// Deep nests in which only the outermost node clips. A result that ignores distant ancestors is
/// wrong.
#[test]
fn the_outermost_clip_reaches_the_deepest_leaf() {
    for depth in [1, 2, W / 2, W - 1, W, W + 1, 1000, W * W / 2, W * W + 1, 1_000_000] {
        let found = gpu_boxes(&nest_clipped_outermost(depth));
        assert_eq!(found.clipped_boxes[depth], OUTERMOST_CLIP_BOX, "at depth {depth}");
        assert!(found.clip_boxes[..depth].iter().all(|&b| b == OUTERMOST_CLIP_BOX), "at depth {depth}");
        assert!(found.group_boxes.iter().all(|&b| b == OUTERMOST_CLIP_BOX), "at depth {depth}");
    }
}

/// The number of leaves has no limit of its own, and crosses each border of the compaction.
#[test]
fn scenes_of_many_leaves_agree() {
    for n in [W * W + 1, 300_000, 1_000_003] {
        check("leaves", &format!("(({}).{})", ".".repeat(n / 2), ".".repeat(n / 2)), Shapes::Large);
    }
    let rows = ("(".to_owned() + &"._.".repeat(100) + ")").repeat(2000);
    check("rows", &rows, Shapes::Any);
}

/// Scenes that are too large for the algorithms for small scenes. In two levels, they have one,
/// two, or four partitions per invocation. The largest ones are too large for two levels.
#[test]
fn families_agree_in_and_beyond_two_levels() {
    for (index, family) in families().into_iter().enumerate() {
        let of_four = [2 * W * P + 1, 4 * W * P, 4 * W * P + 1][index / BOXES.len() % 3];
        let sizes = (index..).zip([W * W + 1, W * P, W * P + 1, of_four]);
        for (_, n) in sizes.filter(|(number, _)| is_tried(*number)) {
            check(family.name, &family.generate(n, 9), BOXES[index % BOXES.len()]);
        }
    }
    for n in [250_000, 500_000] {
        check("deep", &("(.".repeat(n) + &").".repeat(n)), Shapes::Large);
    }
    for n in [340_000, 400_000] {
        check("wide", &format!("({})", "(.)".repeat(n)), Shapes::Any);
    }
    assert_eq!(Algorithm::TwoLevel.limits().max_elements, 4 * (W * P) as u64);
}

#[test]
fn one_entry_too_many_is_refused_with_the_limit() {
    let gpu = gpu();
    let buffers = |n_entries, algorithm| {
        SceneBoxes::with_algorithm(context(), Outputs::all(), algorithm, n_entries, n_entries)
    };
    let error =
        buffers(W * W + 1, Algorithm::ThreeStage).expect_err("the scene exceeds the limit of two levels");
    assert_eq!(error, LimitsError::Entries { need: 65_537, limit: 65_536 });
    let limit = SceneBoxes::limits_of(&gpu.device).max_entries;
    let too_many = usize::try_from(limit + 1).expect("the limit fits in a usize");
    let error =
        buffers(too_many, Algorithm::Hierarchical).expect_err("the scene exceeds the limit of a buffer");
    assert_eq!(error, LimitsError::Entries { need: limit + 1, limit });
    assert!(error.to_string().contains(&limit.to_string()), "the message names the limit: {error}");
}

/// Buffers can be larger than their scene, and can be used for one scene after another.
#[test]
fn buffers_can_be_reused_for_other_scenes() {
    let gpu = gpu();
    let mut buffers = SceneBoxes::with_capacity(context(), Outputs::all(), 5000, 2000)
        .expect("the capacity is within the limits");
    for (stream, seed) in
        [("(.)".repeat(600), 1), (String::new(), 2), ("((.)".repeat(300) + ".(.", 3), (".".repeat(5000), 4)]
    {
        let scene = scene_of(&stream, Shapes::Any, seed);
        buffers.update(&gpu.queue, &scene).expect("the scene is within the capacity");
        for _ in 0..2 {
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            buffers.record(&mut encoder);
            gpu.queue.submit([encoder.finish()]);
            let found = boxwood_tests::read_back(&buffers, &gpu.queue);
            assert_same(seed, &boxwood_cpu::specification::boxes(&scene), &found);
        }
    }
}

/// The buffers still contain the results of a scene with four partitions per invocation when they
/// are used for scenes with two and with one.
#[test]
fn buffers_of_two_levels_can_be_reused_for_shorter_scenes() {
    let longer = scene_of(&("(.".repeat(200_000) + &").".repeat(100_000)), Shapes::Large, 1);
    for n in [W * P + 1, 3 * P + 7] {
        let shorter = scene_of(&family("random with leaves").generate(n, 2), Shapes::Large, 2);
        let found = gpu_boxes_after(context(), Algorithm::TwoLevel, &longer, &shorter);
        assert_same(n, &boxwood_cpu::specification::boxes(&shorter), &found);
    }
}

/// A scene has the same boxes each time. A data race would change them.
#[test]
fn repeated_runs_agree() {
    for n in [4000, 20_000] {
        let scene = scene_of(&family("random with leaves").generate(n, 11), Shapes::Large, 11);
        let expected = boxwood_cpu::specification::boxes(&scene);
        for algorithm in algorithms_for(&scene) {
            for _ in sampled(0..100) {
                assert_same(algorithm, &expected, &gpu_boxes_with(context(), algorithm, &scene));
            }
        }
    }
}

#[test]
fn each_element_has_the_parent_that_encloses_it() {
    let scene = scene_of(".(.(.).).", Shapes::Any, 0);
    let found = gpu_boxes(&scene);
    let parents: Vec<_> = (0..scene.len()).map(|e| found.parent(e)).collect();
    assert_eq!(parents, [None, None, Some(0), Some(0), Some(1), Some(1), Some(0), Some(0), None]);
    assert_eq!(found.entries, [Entry::begin(1), Entry::begin(3), Entry::end(5), Entry::end(7)]);
}

/// A browser's device has WebGPU's default limits, so a scene with more boxes than a binding holds is
/// computed in chunks. This scene has one box more.
#[cfg(target_arch = "wasm32")]
#[test]
fn a_scene_in_chunks_of_the_default_length_agrees() {
    let binding = gpu().device.limits().max_storage_buffer_binding_size;
    let n = usize::try_from(binding / 16).expect("it fits in memory") + 1;
    let scene = scene_of(&family("random walk").generate(n, 1), Shapes::Large, 1);
    let found = gpu_boxes_with(context(), Algorithm::Hierarchical, &scene);
    assert_same(n, &boxwood_cpu::specification::boxes(&scene), &found);
}
