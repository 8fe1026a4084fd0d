//! Every stage on the GPU equals its specification, bit for bit.

use boxwood::{Algorithm, Buffers, LimitsError, Node};
use boxwood_tests::{
    Boxes, OUTERMOST_CLIP_BOX, algorithms_for, assert_same, elements, families, gpu, gpu_boxes,
    gpu_boxes_with, nest_clipped_outermost, pipelines,
};

const W: usize = boxwood::testing::WORKGROUP_SIZE as usize;

/// The elements of a partition of the fused algorithms.
const P: usize = boxwood::testing::PARTITION_LENGTH as usize;

const BOXES: [Boxes; 3] = [Boxes::Large, Boxes::Any, Boxes::Odd];

#[track_caller]
fn check(name: &str, stream: &str, boxes: Boxes) {
    let scene = elements(stream, boxes, stream.len() as u64);
    let expected = boxwood_cpu::boxes(&scene);
    for algorithm in algorithms_for(&scene) {
        let found = gpu_boxes_with(pipelines(), algorithm, &scene);
        assert_same((name, stream.len(), boxes, algorithm), &expected, &found);
    }
}

/// Every family at sizes around every border of the partitions, each with other boxes.
#[test]
fn families_at_the_borders() {
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
        for (at, n) in sizes.into_iter().enumerate() {
            check(family.name, &family.generate(n, n as u64), BOXES[(index + at) % BOXES.len()]);
        }
    }
}

/// Every family at the largest sizes: as many elements as there may be entries of the node stream.
#[test]
fn families_at_the_limit() {
    for (index, family) in families().into_iter().enumerate() {
        for n in [W * W - 1, W * W] {
            check(family.name, &family.generate(n, 3), BOXES[index % BOXES.len()]);
        }
    }
}

/// Every family slid over a border of the partitions by each of a workgroup's first entries.
#[test]
fn families_shifted() {
    for family in families() {
        for shift in [1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129] {
            let stream = "(".repeat(shift) + &family.generate(P, 5);
            check(family.name, &stream, Boxes::Large);
        }
    }
}

#[test]
fn depths() {
    for depth in [1, W - 1, W, W + 1, 1000, W * W / 2] {
        let nest = "(".repeat(depth) + "." + &")".repeat(depth);
        check("nest", &nest, Boxes::Large);
        let with_leaves = "(.".repeat(depth) + &").".repeat(depth);
        check("nest with leaves", &with_leaves, Boxes::Large);
        check("left open", &"(.".repeat(depth), Boxes::Large);
    }
}

/// Deep nests whose outermost clip decides: a result that ignores far ancestors is wrong here.
#[test]
fn the_outermost_clip_reaches_the_deepest_leaf() {
    for depth in [1, 2, W / 2, W - 1, W, W + 1, 1000, W * W / 2, W * W + 1, 1_000_000] {
        let found = gpu_boxes(&nest_clipped_outermost(depth));
        assert_eq!(found.clipped_boxes[depth], OUTERMOST_CLIP_BOX, "at depth {depth}");
        assert!(found.clip_boxes[..depth].iter().all(|&b| b == OUTERMOST_CLIP_BOX), "at depth {depth}");
        assert!(found.group_boxes.iter().all(|&b| b == OUTERMOST_CLIP_BOX), "at depth {depth}");
    }
}

/// Leaves have no limit: their numbers pass every border of the compaction.
#[test]
fn many_leaves() {
    for n in [W * W + 1, 300_000, 1_000_003] {
        check("leaves", &format!("(({}).{})", ".".repeat(n / 2), ".".repeat(n / 2)), Boxes::Large);
    }
    let rows = ("(".to_owned() + &"._.".repeat(100) + ")").repeat(2000);
    check("rows", &rows, Boxes::Any);
}

/// Node streams longer than any workgroup can see, and nests deeper.
#[test]
fn families_beyond_two_levels() {
    for (index, family) in families().into_iter().enumerate() {
        for n in [W * W + 1, W * P, W * P + 1] {
            check(family.name, &family.generate(n, 9), BOXES[index % BOXES.len()]);
        }
    }
    check("deep", &("(.".repeat(500_000) + &").".repeat(500_000)), Boxes::Large);
    check("wide", &format!("({})", "(.)".repeat(400_000)), Boxes::Any);
}

#[test]
fn one_node_too_many_is_refused_with_the_limit() {
    let gpu = gpu();
    let buffers =
        |n_nodes, algorithm| Buffers::with_algorithm(&gpu.device, pipelines(), n_nodes, n_nodes, algorithm);
    let error = buffers(W * W + 1, Algorithm::ThreeStage).expect_err("it is above the limit of two levels");
    assert_eq!(error, LimitsError::Nodes { need: 65_537, limit: 65_536 });
    let limit = Buffers::limits_of(&gpu.device).max_nodes;
    let too_many = usize::try_from(limit + 1).expect("a machine with a device has such numbers");
    let error = buffers(too_many, Algorithm::Hierarchical).expect_err("it is above the limit of a buffer");
    assert_eq!(error, LimitsError::Nodes { need: limit + 1, limit });
    assert!(error.to_string().contains(&limit.to_string()), "the message names the limit: {error}");
}

/// Buffers may be larger than their scene, and take one scene after the other.
#[test]
fn buffers_take_one_scene_after_the_other() {
    let gpu = gpu();
    let mut buffers =
        Buffers::with_capacity(&gpu.device, pipelines(), 5000, 2000).expect("it is within the limits");
    for (stream, seed) in
        [("(.)".repeat(600), 1), (String::new(), 2), ("((.)".repeat(300) + ".(.", 3), (".".repeat(5000), 4)]
    {
        let scene = elements(&stream, Boxes::Any, seed);
        buffers.upload(&gpu.queue, &scene).expect("it is within the capacity");
        for _ in 0..2 {
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            buffers.record(&mut encoder);
            gpu.queue.submit([encoder.finish()]);
            let found = boxwood::read_back(&gpu.device, &gpu.queue, &buffers).expect("the device answers");
            assert_same(seed, &boxwood_cpu::boxes(&scene), &found);
        }
    }
    let too_long = elements(&".".repeat(5001), Boxes::Any, 0);
    assert!(matches!(
        buffers.upload(&gpu.queue, &too_long),
        Err(LimitsError::Elements { need: 5001, limit: 5000 })
    ));
}

/// The same scene gives the same bits each time: a race would not.
#[test]
fn repeated_runs_agree() {
    for n in [4000, 20_000] {
        let scene = elements(&families()[3].generate(n, 11), Boxes::Large, 11);
        let expected = boxwood_cpu::boxes(&scene);
        for algorithm in algorithms_for(&scene) {
            for _ in 0..100 {
                assert_same(algorithm, &expected, &gpu_boxes_with(pipelines(), algorithm, &scene));
            }
        }
    }
}

#[test]
fn the_parent_of_an_element() {
    let scene = elements(".(.(.).).", Boxes::Any, 0);
    let found = gpu_boxes(&scene);
    let parents: Vec<_> = (0..scene.len()).map(|e| found.parent(e)).collect();
    assert_eq!(parents, [None, None, Some(0), Some(0), Some(1), Some(1), Some(0), Some(0), None]);
    assert_eq!(found.nodes, [Node::begin(1), Node::begin(3), Node::end(5), Node::end(7)]);
}
