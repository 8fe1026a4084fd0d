//! The engine compared with the specification, bit for bit.

use proptest::prelude::*;

use super::*;
use crate::scene::tag;
use crate::specification;

/// The results as bits, which distinguish 0.0 from −0.0.
fn bits(boxes: &Boxes) -> [&[u32]; 6] {
    let Boxes { entries, ranks, links, clip_boxes, clipped_boxes, group_boxes } = boxes;
    [
        bytemuck::cast_slice(entries),
        ranks,
        bytemuck::cast_slice(links),
        bytemuck::cast_slice(clip_boxes),
        bytemuck::cast_slice(clipped_boxes),
        bytemuck::cast_slice(group_boxes),
    ]
}

/// The generator `xorshift64*`.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) % n
    }

    /// A box with few distinct coordinates around zero, so that edges often coincide. Some are
    /// the plane, empty, inverted, or flat.
    fn aabb(&mut self) -> Aabb {
        let mut edge = |low: i8| f32::from(low + i8::try_from(self.below(9)).expect("it is small"));
        let (x0, y0, x1, y1) = (edge(-8), edge(-8), edge(0), edge(0));
        match self.below(16) {
            0 => Aabb::PLANE,
            1 => Aabb::EMPTY,
            2 => Aabb { x0: x1, y0, x1: x0, y1 },
            3 => Aabb { x0, y0, x1, y1: y0 },
            _ => Aabb { x0, y0, x1, y1 },
        }
    }

    /// A scene of `n` elements. Of 16 elements, `n_begins` are begins and `n_ends` are ends.
    fn scene(&mut self, n: usize, n_begins: u64, n_ends: u64) -> Scene {
        let mut tags = Vec::with_capacity(n);
        for _ in 0..n {
            tags.push(match self.below(16) {
                kind if kind < n_begins => tag::BEGIN,
                kind if kind < n_begins + n_ends => tag::END,
                15 => tag::NOP,
                _ => tag::LEAF,
            });
        }
        let boxes = (0..n).map(|_| self.aabb()).collect();
        Scene::from_streams(tags, boxes).expect("the values are plain")
    }
}

/// The scene of a string: `(` is a begin, `)` an end, `.` a leaf, and `_` no operation.
fn scene_of(stream: &str, seed: u64) -> Scene {
    let mut random = Random(seed);
    let tag = |c| match c {
        '(' => tag::BEGIN,
        ')' => tag::END,
        '_' => tag::NOP,
        _ => tag::LEAF,
    };
    let boxes = stream.chars().map(|_| random.aabb()).collect();
    Scene::from_streams(stream.chars().map(tag).collect(), boxes).expect("the values are plain")
}

/// Whether the engine, in one pass and in chunks of these lengths, equals the specification.
fn check(engine: &mut Engine, scene: &Scene, chunk_lengths: impl IntoIterator<Item = usize>) {
    let expected = specification::boxes(scene);
    let found = engine.boxes(scene).expect("every element has a box");
    assert!(bits(found) == bits(&expected), "one pass: {:?} {found:?} {expected:?}", scene.tags());
    for chunk_length in chunk_lengths {
        let found = engine.boxes_in_chunks(scene, chunk_length);
        assert!(
            bits(found) == bits(&expected),
            "chunks of {chunk_length}: {:?} {found:?} {expected:?}",
            scene.tags()
        );
    }
}

#[test]
fn equals_the_specification_at_every_small_size_and_chunk_length() {
    let (mut engine, mut random) = (Engine::new(), Random(1));
    for n in 0..=300 {
        for (n_begins, n_ends) in
            [(4, 4), (6, 6), (8, 8), (3, 6), (6, 3), (0, 8), (8, 0), (0, 0), (15, 0), (0, 15)]
        {
            let scene = random.scene(n, n_begins, n_ends);
            let lengths: Vec<usize> =
                if n <= 24 { (1..=n.max(1)).collect() } else { vec![1, 7, 64, n / 2, n - 1, n + 1] };
            check(&mut engine, &scene, lengths);
        }
    }
}
