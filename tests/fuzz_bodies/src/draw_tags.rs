//! Any draw tags and any boxes.

use std::sync::LazyLock;

use boxwood_cpu::specification::boxes;
use boxwood_cpu::specification::papers::{BicTree, Stack, search_parentheses};
use boxwood_cpu::specification::tree::{Monoid, match_parentheses, scan_down, scan_up};
use boxwood_cpu::{Aabb, Bic, Boxes, ElementKind, Engine, Scene, SceneError, tag};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bytes::Bytes;

/// The maximum number of elements of a scene. Evaluating the definitions takes quadratic time.
const MAX_ELEMENTS: usize = 1024;

/// The number of elements of a scene that the engine computes in chunks.
const CHUNKED_ELEMENTS: usize = 150_000;

/// One input of this many, by its length, is repeated up to [`CHUNKED_ELEMENTS`]. That takes as
/// long as all other checks of about ten inputs.
const CHUNKED_EVERY: usize = 32;

/// The engine makes chunks only if it has several threads, also on a machine with one core.
static TWO_THREADS: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(2).build().expect("threads can be started"));

/// The functions under test.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    /// All boxes of a scene.
    pub boxes: fn(&Scene) -> Boxes,
    /// The same by the engine, which may have computed another scene before.
    pub engine_boxes: fn(&mut Engine, &Scene) -> Boxes,
    /// Parenthesis matching.
    pub match_parentheses: fn(&[bool]) -> Vec<i32>,
    /// Parenthesis matching by another algorithm.
    pub search_parentheses: fn(&[bool]) -> Vec<i32>,
}

impl Stages {
    /// The functions of `boxwood_cpu`.
    pub const CPU: Self = Self { boxes, engine_boxes, match_parentheses, search_parentheses };
}

fn engine_boxes(engine: &mut Engine, scene: &Scene) -> Boxes {
    engine.boxes(scene).expect("every element has a box").clone()
}

/// Checks `boxwood_cpu` and [`Scene::from_streams`] on a scene.
///
/// The bytes have a record per element. Its first byte gives the kind of the element, the format of
/// its box, and the number of repetitions. The tag, if the kind requires one, and the box follow.
///
/// # Panics
///
/// If a result differs from its definition.
pub fn draw_tags(bytes: &[u8]) {
    draw_tags_by(&Stages::CPU, bytes);
}

/// Checks other functions in the same way.
///
/// # Panics
///
/// If a result differs from its definition.
pub fn draw_tags_by(stages: &Stages, bytes: &[u8]) {
    let (tags, boxes) = streams(bytes);
    let is_plain = |v: f32| v.is_normal() || v.to_bits() == 0;
    let bad = boxes.iter().position(|b| ![b.x0, b.y0, b.x1, b.y1].into_iter().all(is_plain));
    let scene = match (Scene::from_streams(tags.clone(), boxes.clone()), bad) {
        (Ok(scene), None) => scene,
        (Err(SceneError::Value { element, .. }), Some(bad)) if element == bad => {
            // The message of the error advises this.
            let made = |b: &Aabb| {
                Aabb::new(b.x0.into(), b.y0.into(), b.x1.into(), b.y1.into()).unwrap_or(Aabb::EMPTY)
            };
            Scene::from_streams(tags, boxes.iter().map(made).collect())
                .expect("`Aabb::new` has checked the boxes")
        }
        (result, bad) => panic!("the first invalid box is {bad:?}, but the result is {result:?}"),
    };
    let found = (stages.boxes)(&scene);
    check_boxes(&scene, &found);
    let mut engine = Engine::new();
    // The memory of the engine is of another scene with as many elements.
    engine.boxes(&reversed(&scene)).expect("every element has a box");
    assert_same_bits(&(stages.engine_boxes)(&mut engine, &scene), &found);
    if bytes.len().is_multiple_of(CHUNKED_EVERY) && !scene.is_empty() {
        let scene = repeated(&scene, CHUNKED_ELEMENTS);
        let found = TWO_THREADS.install(|| (stages.engine_boxes)(&mut engine, &scene));
        assert_same_bits(&found, &(stages.boxes)(&scene));
    }
    check_matches(stages, &scene);
}

/// The elements from the last to the first.
fn reversed(scene: &Scene) -> Scene {
    let (tags, boxes) = (scene.tags().iter().rev(), scene.boxes().iter().rev());
    Scene::from_streams(tags.copied().collect(), boxes.copied().collect()).expect("the boxes are checked")
}

/// The elements again and again, up to `n`.
fn repeated(scene: &Scene, n: usize) -> Scene {
    let (tags, boxes) = (scene.tags().iter().cycle().take(n), scene.boxes().iter().cycle().take(n));
    Scene::from_streams(tags.copied().collect(), boxes.copied().collect()).expect("the boxes are checked")
}

/// Compares results as bits, which distinguish 0.0 from -0.0.
fn assert_same_bits(found: &Boxes, expected: &Boxes) {
    fn bits(boxes: &Boxes) -> [(&str, &[u32]); 6] {
        let Boxes { entries, ranks, links, clip_boxes, clipped_boxes, group_boxes } = boxes;
        [
            ("entries", bytemuck::cast_slice(entries)),
            ("ranks", ranks),
            ("links", bytemuck::cast_slice(links)),
            ("clip boxes", bytemuck::cast_slice(clip_boxes)),
            ("clipped boxes", bytemuck::cast_slice(clipped_boxes)),
            ("group boxes", bytemuck::cast_slice(group_boxes)),
        ]
    }
    for ((name, found), (_, expected)) in bits(found).into_iter().zip(bits(expected)) {
        assert!(found == expected, "the {name} of the engine differ from those of the specification");
    }
}

/// The tags and boxes of an input.
fn streams(bytes: &[u8]) -> (Vec<u32>, Vec<Aabb>) {
    let mut bytes = Bytes(bytes);
    let (mut tags, mut boxes) = (Vec::new(), Vec::new());
    while let Some((kind, aabb, repeats)) = record(&mut bytes)
        && tags.len() < MAX_ELEMENTS
    {
        for _ in 0..repeats.min(MAX_ELEMENTS - tags.len()) {
            tags.push(kind);
            boxes.push(aabb);
        }
    }
    (tags, boxes)
}

fn record(bytes: &mut Bytes<'_>) -> Option<(u32, Aabb, usize)> {
    let how = bytes.byte()?;
    let kind = match how & 7 {
        0 | 1 => tag::LEAF,
        2 | 3 => tag::BEGIN,
        4 | 5 => tag::END,
        6 => tag::NOP,
        _ => bytes.word()?,
    };
    let aabb = match (how >> 3) & 3 {
        0 => Aabb::EMPTY,
        1 => Aabb::PLANE,
        2 => {
            let [low, high] = [bytes.byte()?, bytes.byte()?];
            let [x0, y0, x1, y1] = [low & 15, low >> 4, high & 15, high >> 4].map(f32::from);
            Aabb { x0, y0, x1, y1 }
        }
        _ => {
            let mut coordinate = || bytes.word().map(f32::from_bits);
            Aabb { x0: coordinate()?, y0: coordinate()?, x1: coordinate()?, y1: coordinate()? }
        }
    };
    Some((kind, aabb, 1 << (how >> 5)))
}

/// Compares all results with their definitions.
fn check_boxes(scene: &Scene, found: &Boxes) {
    let kinds: Vec<ElementKind> = (0..scene.len()).map(|element| scene.kind(element)).collect();
    let is_entry = |element: &usize| matches!(kinds[*element], ElementKind::Begin | ElementKind::End);
    let entries: Vec<usize> = (0..kinds.len()).filter(is_entry).collect();

    assert_eq!(found.entries.iter().map(|entry| entry.element()).collect::<Vec<_>>(), entries);
    for (element, rank) in found.ranks.iter().enumerate() {
        assert_eq!(*rank as usize, entries.partition_point(|entry| *entry < element), "rank of {element}");
    }
    assert_eq!(found.ranks.len(), kinds.len());

    // The begins that enclose each element, the innermost first.
    let around: Vec<Vec<usize>> = (0..kinds.len()).map(|element| begins_around(&kinds, element)).collect();
    let clip_box_in = |begins: &[usize]| {
        begins.iter().fold(Aabb::PLANE, |clip_box, begin| clip_box.intersect(scene.boxes()[*begin]))
    };
    for (element, kind) in kinds.iter().enumerate() {
        let expected = match kind {
            ElementKind::Leaf => scene.boxes()[element].intersect(clip_box_in(&around[element])),
            _ => Aabb::EMPTY,
        };
        assert_eq!(found.clipped_boxes[element], expected, "clipped box of element {element}");
    }
    assert_eq!(found.clipped_boxes.len(), kinds.len());

    let entry_of = |element: usize| entries.binary_search(&element).ok();
    for (entry, &element) in entries.iter().enumerate() {
        let is_begin = kinds[element] == ElementKind::Begin;
        assert_eq!(found.entries[entry].is_begin(), is_begin, "entry {entry}");
        // The begin of the entry's node, and the begins that enclose it.
        let (begin, outside) = match (is_begin, around[element].split_first()) {
            (true, _) => (Some(element), &around[element][..]),
            (false, Some((begin, outside))) => (Some(*begin), outside),
            (false, None) => (None, &[][..]),
        };
        let end = begin.and_then(|begin| end_of(&kinds, begin));
        let partner = if is_begin { end } else { begin };
        let link = found.links[entry];
        assert_eq!(usize::try_from(link.parent).ok(), outside.first().and_then(|o| entry_of(*o)), "{entry}");
        assert_eq!(usize::try_from(link.partner).ok(), partner.and_then(entry_of), "partner of {entry}");

        let own = if is_begin { scene.boxes()[element] } else { Aabb::PLANE };
        assert_eq!(found.clip_boxes[entry], clip_box_in(outside).intersect(own), "clip box of entry {entry}");
        let inside = begin.map_or(0..0, |begin| begin..end.unwrap_or(kinds.len()));
        let union = inside.fold(Aabb::EMPTY, |union, inside| union.union(found.clipped_boxes[inside]));
        assert_eq!(found.group_boxes[entry], union, "group box of entry {entry}");
    }
    let lengths = [found.links.len(), found.clip_boxes.len(), found.group_boxes.len()];
    assert_eq!(lengths, [entries.len(); 3]);
    check_scans(scene, found);
}

/// The begins that are open before an element, the innermost first.
fn begins_around(kinds: &[ElementKind], element: usize) -> Vec<usize> {
    let mut n_closed = 0;
    let mut begins = Vec::new();
    for before in (0..element).rev() {
        match kinds[before] {
            ElementKind::End => n_closed += 1,
            ElementKind::Begin if n_closed > 0 => n_closed -= 1,
            ElementKind::Begin => begins.push(before),
            ElementKind::Leaf | ElementKind::Nop => {}
        }
    }
    begins
}

/// The end of the node that begins at an element.
fn end_of(kinds: &[ElementKind], begin: usize) -> Option<usize> {
    let mut depth = 0;
    (begin..kinds.len()).find(|element| {
        match kinds[*element] {
            ElementKind::Begin => depth += 1,
            ElementKind::End => depth -= 1,
            ElementKind::Leaf | ElementKind::Nop => {}
        }
        depth == 0
    })
}

#[derive(Clone, Copy)]
struct Intersection(Aabb);

impl Monoid for Intersection {
    fn identity() -> Self {
        Self(Aabb::PLANE)
    }

    fn combine(self, next: Self) -> Self {
        Self(self.0.intersect(next.0))
    }
}

#[derive(Clone, Copy)]
struct Union(Aabb);

impl Monoid for Union {
    fn identity() -> Self {
        Self(Aabb::EMPTY)
    }

    fn combine(self, next: Self) -> Self {
        Self(self.0.union(next.0))
    }
}

/// Compares the scans over any monoid with the boxes, which are scans over these two monoids.
fn check_scans(scene: &Scene, found: &Boxes) {
    let shapes: Vec<_> =
        found.entries.iter().map(|entry| Intersection(scene.boxes()[entry.element()])).collect();
    let clip_boxes = scan_down(&found.entries, &shapes).into_iter().map(|product| product.0);
    assert!(clip_boxes.eq(found.clip_boxes.iter().copied()), "clip boxes are a scan down the tree");

    let mut leaves = vec![Union(Aabb::EMPTY); found.entries.len()];
    for (element, &clipped_box) in found.clipped_boxes.iter().enumerate() {
        if let Some(parent) = found.parent(element) {
            leaves[parent] = leaves[parent].combine(Union(clipped_box));
        }
    }
    let group_boxes = scan_up(&found.entries, &leaves).into_iter().map(|product| product.0);
    assert!(group_boxes.eq(found.group_boxes.iter().copied()), "group boxes are a scan up the tree");
}

/// Compares the results of each algorithm for matching with the definition.
fn check_matches(stages: &Stages, scene: &Scene) {
    let kinds = (0..scene.len()).map(|element| scene.kind(element));
    let is_begin: Vec<bool> = kinds
        .filter(|kind| matches!(kind, ElementKind::Begin | ElementKind::End))
        .map(|kind| kind == ElementKind::Begin)
        .collect();
    let found = (stages.match_parentheses)(&is_begin);
    assert_eq!((stages.search_parentheses)(&is_begin), found);
    let tree = BicTree::new(&is_begin);
    let (mut stack, mut sum) = (Stack::IDENTITY, Bic::IDENTITY);
    for (index, &begins) in is_begin.iter().enumerate() {
        // Definition 1 of the problem: the nearest begin before the entry with as many ends as
        // begins between the two.
        let mut depth = 0_usize;
        let nearest = (0..index).rev().find(|before| {
            if is_begin[*before] && depth == 0 {
                return true;
            }
            depth = if is_begin[*before] { depth - 1 } else { depth + 1 };
            false
        });
        assert_eq!(usize::try_from(found[index]).ok(), nearest, "match of entry {index}");
        assert_eq!(tree.top_before(index), nearest, "top of the stack before entry {index}");
        assert_eq!(stack.top().copied(), nearest, "top of the product before entry {index}");
        stack = stack.then(if begins { Stack::begin(index) } else { Stack::END });
        sum = sum.then(if begins { Bic::BEGIN } else { Bic::END });
        assert_eq!(stack.bic(), sum, "counts up to entry {index}");
    }
}
