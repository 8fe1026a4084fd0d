//! Properties of random scenes: the specification satisfies the definitions, and the GPU equals the
//! specification.

use boxwood::{Aabb, Algorithm, ElementKind, Scene};
use boxwood_tests::{Shapes, assert_same, context, gpu_boxes, gpu_boxes_with, scene_of};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn any_scene(length: usize) -> impl Strategy<Value = Scene> {
    let stream =
        prop::collection::vec(prop::sample::select(vec!['(', '(', ')', ')', '.', '.', '_']), 0..length);
    let boxes = prop::sample::select(vec![Shapes::Large, Shapes::Any, Shapes::Odd]);
    (stream, boxes, any::<u64>())
        .prop_map(|(stream, boxes, seed)| scene_of(&stream.into_iter().collect::<String>(), boxes, seed))
}

/// Checks a property on random scenes, the same ones each time.
fn for_scenes(cases: u32, length: usize, property: impl Fn(&Scene)) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(&any_scene(length), |scene| {
        property(&scene);
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// The begins that enclose an element, from the outermost to the innermost. By definition, a begin
/// encloses everything from itself to its end.
fn ancestors(scene: &Scene, element: usize) -> Vec<usize> {
    let mut open = Vec::new();
    for before in 0..element {
        match scene.kind(before) {
            ElementKind::Begin => open.push(before),
            ElementKind::End => {
                open.pop();
            }
            _ => {}
        }
    }
    open
}

#[test]
fn the_specification_satisfies_the_definitions() {
    for_scenes(300, 60, |scene| {
        let found = boxwood_cpu::specification::boxes(scene);
        let mut group_boxes = vec![Aabb::EMPTY; scene.len()];
        for element in 0..scene.len() {
            let around = ancestors(scene, element);
            let clip = |own| around.iter().fold(own, |b: Aabb, &a| b.intersect(scene.boxes()[a])).canonical();
            let parent = found.parent(element).map(|entry| found.entries[entry].element());
            assert_eq!(parent, around.last().copied(), "parent of element {element}");
            match scene.kind(element) {
                ElementKind::Leaf => {
                    let clipped = clip(scene.boxes()[element]);
                    assert_eq!(found.clipped_boxes[element], clipped, "clipped box of leaf {element}");
                    for &a in &around {
                        group_boxes[a] = group_boxes[a].union(clipped);
                    }
                }
                ElementKind::Begin => {
                    let entry = found.ranks[element] as usize;
                    let expected = clip(scene.boxes()[element]);
                    assert_eq!(found.clip_boxes[entry], expected, "clip box of begin {element}");
                }
                _ => assert_eq!(found.clipped_boxes[element], Aabb::EMPTY),
            }
        }
        for (entry, link) in found.entries.iter().zip(&found.links) {
            let rank = found.ranks[entry.element()] as usize;
            if entry.is_begin() {
                assert_eq!(found.group_boxes[rank], group_boxes[entry.element()]);
            }
            if let Ok(partner) = usize::try_from(link.partner) {
                assert_eq!(usize::try_from(found.links[partner].partner), Ok(rank));
                assert_eq!(found.group_boxes[partner], found.group_boxes[rank]);
            }
        }
    });
}

#[test]
fn the_gpu_equals_the_specification() {
    for_scenes(150, 1500, |scene| {
        let expected = boxwood_cpu::specification::boxes(scene);
        for &algorithm in Algorithm::ALL {
            assert_same(algorithm, &expected, &gpu_boxes_with(context(), algorithm, scene));
        }
    });
}

#[test]
fn clips_shrink_boxes_and_groups_contain_them() {
    for_scenes(100, 300, |scene| {
        let found = gpu_boxes(scene);
        for (element, clipped) in found.clipped_boxes.iter().enumerate() {
            assert!(clipped.is_empty() || scene.boxes()[element].contains(*clipped));
            if let Some(parent) = found.parent(element) {
                assert!(found.clip_boxes[parent].contains(*clipped));
                assert!(found.group_boxes[parent].contains(*clipped));
            }
        }
    });
}
