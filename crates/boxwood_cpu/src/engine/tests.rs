//! The engine compared with the specification, bit for bit. `tests/planted_faults.rs` shows that
//! these tests can fail.

use proptest::prelude::*;

use super::*;
use crate::families::Random;
use crate::scene::{ElementKind, tag};
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

/// A box with few distinct coordinates around zero, so that edges often coincide. Some are the
/// plane, empty, inverted, or flat.
fn some_box(random: &mut Random) -> Aabb {
    let mut edge = |low: i8| f32::from(low + i8::try_from(random.below(9)).expect("it is small"));
    let (x0, y0, x1, y1) = (edge(-8), edge(-8), edge(0), edge(0));
    match random.below(16) {
        0 => Aabb::PLANE,
        1 => Aabb::EMPTY,
        2 => Aabb { x0: x1, y0, x1: x0, y1 },
        3 => Aabb { x0, y0, x1, y1: y0 },
        _ => Aabb { x0, y0, x1, y1 },
    }
}

/// A scene of `n` elements. Of 16 elements, `n_begins` are begins and `n_ends` are ends.
fn some_scene(random: &mut Random, n: usize, n_begins: usize, n_ends: usize) -> Scene {
    let mut tags = Vec::with_capacity(n);
    for _ in 0..n {
        tags.push(match random.below(16) {
            kind if kind < n_begins => tag::BEGIN,
            kind if kind < n_begins + n_ends => tag::END,
            15 => tag::NOP,
            _ => tag::LEAF,
        });
    }
    // Begins and ends are not balanced: the specification also has results for an end without a
    // begin, and for a begin without an end.
    let boxes = (0..n).map(|_| some_box(random)).collect();
    Scene::from_streams(tags, boxes).expect("the values are plain")
}

/// The tag of a character: `(` is a begin, `)` an end, `.` a leaf, and `_` no operation.
fn tag_of(kind: u8) -> u32 {
    match kind {
        b'(' => tag::BEGIN,
        b')' => tag::END,
        b'_' => tag::NOP,
        _ => tag::LEAF,
    }
}

/// The scene of a string.
fn scene_of(stream: &[u8], seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let boxes = stream.iter().map(|_| some_box(&mut random)).collect();
    Scene::from_streams(stream.iter().map(|kind| tag_of(*kind)).collect(), boxes)
        .expect("the values are plain")
}

impl Engine {
    /// The boxes of a scene of any size, in chunks.
    fn boxes_in_chunks(&mut self, scene: &Scene, chunk_length: usize) -> &Boxes {
        // `boxes` uses chunks from 2^17 elements only, and of one length.
        set_lengths(&mut self.boxes, scene.len(), scene.n_entries());
        self.chunks.pass(scene, &mut self.boxes, chunk_length);
        &self.boxes
    }
}

/// Asserts that the engine, in one pass and in chunks of these lengths, equals the specification.
fn check(engine: &mut Engine, scene: &Scene, chunk_lengths: impl IntoIterator<Item = usize>) {
    let expected = specification::boxes(scene);
    // Bits, because `Boxes` compares zeros of different signs as equal.
    let differ = |found: &Boxes| bits(found) != bits(&expected);
    let found = engine.boxes(scene).expect("every element has a box");
    assert!(!differ(found), "the engine differs: {}", describe(scene));
    for chunk_length in chunk_lengths {
        let found = engine.boxes_in_chunks(scene, chunk_length);
        assert!(!differ(found), "the engine differs in chunks of {chunk_length}: {}", describe(scene));
    }
}

fn describe(scene: &Scene) -> String {
    const MAX: usize = 100;
    let (tags, boxes) = (scene.tags().iter().take(MAX), scene.boxes().iter().take(MAX));
    let elements = tags.zip(boxes).map(|(&tag, own_box)| format!("{:?} {own_box}", ElementKind::of(tag)));
    format!("{} elements: {}", scene.len(), elements.collect::<Vec<_>>().join(", "))
}

/// Every tree of up to six elements, in all chunks. The engine keeps its memory, so a result of an
/// earlier scene that is not written again is found, too.
#[test]
fn equals_the_specification_on_every_tiny_scene() {
    const MAX_LENGTH: u32 = 6;
    let mut engine = Engine::new();
    // From the longest scene down, so that results of a longer one are left in memory.
    for n in (0..=MAX_LENGTH).rev() {
        // Two bits of the code are the kind of an element.
        for code in 0..4_usize.pow(n) {
            let kinds = (0..n).map(|i| [b'(', b')', b'.', b'_'][code >> (2 * i) & 3]);
            let scene = scene_of(&kinds.collect::<Vec<_>>(), code as u64 + 1);
            // Six elements have at most six chunks, so a node can cross up to five borders.
            check(&mut engine, &scene, 1..=n as usize);
        }
    }
}

/// The kinds have different frequencies in the mixes: of 16 elements, the numbers of begins and
/// ends.
const MIXES: [(usize, usize); 10] =
    [(4, 4), (6, 6), (8, 8), (3, 6), (6, 3), (0, 8), (8, 0), (0, 0), (15, 0), (0, 15)];

#[test]
fn equals_the_specification_at_every_small_size() {
    let (mut engine, mut random) = (Engine::new(), Random::new(1));
    for n in 0..=300 {
        for (n_begins, n_ends) in MIXES {
            let scene = some_scene(&mut random, n, n_begins, n_ends);
            // All chunk lengths would take too long for longer scenes. These are many chunks, two
            // chunks that are equal or of which one has a single element, and one chunk that is
            // full or not.
            if n <= 24 {
                check(&mut engine, &scene, 1..=n.max(1));
            } else {
                check(&mut engine, &scene, [1, 2, 7, 64, n / 2, n - 1, n, n + 1]);
            }
        }
    }
}

#[test]
fn equals_the_specification_on_deep_nests() {
    let mut engine = Engine::new();
    let runs =
        |runs: &[(usize, &[u8])]| runs.iter().flat_map(|(n, part)| part.repeat(*n)).collect::<Vec<_>>();
    // Around the lengths of the chunks below, and much deeper than most chunks are long.
    for n in [63, 64, 65, 5_000] {
        // Nests with leaves at the bottom, at each level, and at none. Begins and ends that are all
        // balanced, lack the other kind, or come in the wrong order.
        let streams = [
            runs(&[(n, b"("), (n, b")")]),
            runs(&[(n, b"("), (1, b"."), (n, b")")]),
            runs(&[(n, b"(."), (n, b".)")]),
            runs(&[(n, b"(.")]),
            runs(&[(n, b".)")]),
            runs(&[(n, b")"), (n, b"(")]),
            runs(&[(n, b"("), (n / 2, b")"), (n, b"(."), (2 * n, b")")]),
            runs(&[(n, b"()")]),
            runs(&[(1, b"("), (n, b"(.)"), (1, b")")]),
            runs(&[(1, b"("), (n, b"."), (1, b")")]),
        ];
        for stream in streams {
            check(&mut engine, &scene_of(&stream, 1), [1, 3, 63, 64, 65, stream.len() / 2]);
        }
    }
}

/// The sizes at which [`Engine::boxes`] starts to use chunks, and at which another chunk starts.
#[test]
fn equals_the_specification_around_the_lengths_of_chunks() {
    use super::parallel::{CHUNK_LENGTH, MIN_ELEMENTS};
    let (mut engine, mut random) = (Engine::new(), Random::new(2));
    // A pool of its own: on a machine with one core, the engine would not use chunks.
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads can be started");
    for n in [MIN_ELEMENTS, MIN_ELEMENTS + CHUNK_LENGTH, MIN_ELEMENTS + CHUNK_LENGTH / 2] {
        for n in n - 1..=n + 1 {
            for (n_begins, n_ends) in [(4, 4), (8, 8), (7, 4), (4, 7), (15, 0), (0, 15)] {
                let scene = some_scene(&mut random, n, n_begins, n_ends);
                threads.install(|| check(&mut engine, &scene, [n / 2, n / 2 + 1]));
            }
        }
    }
}

#[test]
fn equals_the_specification_on_a_scene_of_four_million_elements() {
    let mut engine = Engine::new();
    let mut random = Random::new(3);
    // A deep scene, in which most nodes cross many chunks, and then a shallow one in its memory.
    for (n_begins, n_ends) in [(8, 7), (4, 4)] {
        check(&mut engine, &some_scene(&mut random, 1 << 22, n_begins, n_ends), [1 << 14]);
    }
}

/// Boxes of all magnitudes, with zeros.
fn any_box() -> impl Strategy<Value = Aabb> {
    let edge = || prop_oneof![2 => Just(0.0), 3 => -4.0..4.0_f64, 1 => any::<f32>().prop_map(f64::from)];
    let aabb =
        [edge(), edge(), edge(), edge()].prop_map(|edges| Aabb::try_from(edges).unwrap_or(Aabb::EMPTY));
    prop_oneof![1 => Just(Aabb::PLANE), 8 => aabb]
}

proptest! {
    #[test]
    fn equals_the_specification_on_any_scene(
        elements in prop::collection::vec((prop::sample::select(b"((()))..._".to_vec()), any_box()), 0..200),
        chunk_length in 1..50_usize,
    ) {
        let tags = elements.iter().map(|(kind, _)| tag_of(*kind)).collect();
        let boxes = elements.iter().map(|(_, own_box)| *own_box).collect();
        let scene = Scene::from_streams(tags, boxes).expect("the values are plain");
        check(&mut Engine::new(), &scene, [chunk_length]);
    }
}

#[test]
fn an_element_without_a_box_is_an_error() {
    let mut scene = Scene::new();
    scene.leaf([0.0, 0.0, 1.0, 1.0]);
    // The scene keeps an empty box for this element, and remembers that it is not the caller's.
    scene.leaf([0.0, 0.0, f32::NAN, 1.0]);
    let mut engine = Engine::new();
    assert!(matches!(engine.boxes(&scene), Err(SceneError::NotABox { element: 1, .. })));
    scene.set_box(1, [0.0, 0.0, 2.0, 1.0]);
    check(&mut engine, &scene, [1]);
}
