//! Measures the specification, a hand-written peer, and the engine on one core and on all cores.
//!
//! ```text
//! cargo run --release -p boxwood_cpu --example engine_speed [LOG2_N...]
//! ```
//!
//! It prints nanoseconds per element: medians of many runs on the same scene. The contestants take
//! turns, because a shared machine is slower at times, and get new memory in each round, because
//! the placement of memory matters. Ratios are of runs that follow each other. Every result is
//! compared with the specification first.

#![expect(clippy::print_stdout, reason = "it is a program")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use boxwood_cpu::{Aabb, Engine, Scene, specification, tag};

/// The number of times that each contestant gets new memory.
const ROUNDS: usize = 9;
/// A round takes about this long, in at least [`MIN_SAMPLES`] samples of each contestant.
const TIME: Duration = Duration::from_millis(300);
const MIN_SAMPLES: usize = 5;
/// A sample has as many runs as take this long, after one that is not timed, so that the caches are
/// as in a program that does nothing else.
const SAMPLE: Duration = Duration::from_millis(1);

fn main() {
    let arguments: Vec<u32> =
        std::env::args().skip(1).map(|n| n.parse().expect("the arguments are base-2 logarithms")).collect();
    let sizes = if arguments.is_empty() { vec![10, 12, 14, 16, 18, 20, 22] } else { arguments };
    let one_core = pool(1);
    let all_cores = pool(0);
    println!("{} threads; ns per element", all_cores.current_num_threads());
    println!("| scene | elements | specification | peer | engine | engine / peer | all cores | speed-up |");
    println!("|---|---|---|---|---|---|---|---|");
    for (family, generate) in FAMILIES {
        for log2_n in &sizes {
            let scene = generate(1 << log2_n);
            let rounds: Vec<_> = (0..ROUNDS).map(|_| round(&scene, [&one_core, &all_cores])).collect();
            let median = |of: &dyn Fn(&Round) -> f64| median(rounds.iter().map(of));
            let per_element =
                |contestant: usize| median(&|round| round.times[contestant]) * 1e9 / scene.len() as f64;
            println!(
                "| {family} | 2^{log2_n} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} |",
                per_element(0),
                per_element(1),
                per_element(2),
                median(&|round| round.engine_to_peer),
                per_element(3),
                median(&|round| round.speed_up),
            );
        }
    }
}

/// The results of a round.
struct Round {
    /// The times of a run in seconds: of the specification, of the peer, of the engine on one core,
    /// and on all.
    times: [f64; 4],
    engine_to_peer: f64,
    speed_up: f64,
}

/// Measures the contestants with new memory.
fn round(scene: &Scene, [one_core, all_cores]: [&rayon::ThreadPool; 2]) -> Round {
    let expected = specification::boxes(scene);
    let (mut peer, mut engine, mut parallel) = (peer::Peer::default(), Engine::new(), Engine::new());
    assert!(*peer.boxes(scene) == expected, "the peer differs");
    for (pool, engine) in [(one_core, &mut engine), (all_cores, &mut parallel)] {
        let found = pool.install(|| engine.boxes(scene).expect("every element has a box"));
        assert!(*found == expected, "the engine differs");
    }
    // To enter a pool takes microseconds, so all runs of a sample are inside of it.
    let mut contestants: [&mut dyn FnMut(u32) -> f64; 4] = [
        &mut |n| time(n, || drop(black_box(specification::boxes(black_box(scene))))),
        &mut |n| time(n, || _ = black_box(peer.boxes(black_box(scene)))),
        &mut |n| one_core.install(|| time(n, || _ = black_box(engine.boxes(black_box(scene))))),
        &mut |n| all_cores.install(|| time(n, || _ = black_box(parallel.boxes(black_box(scene))))),
    ];
    // At least one: a run may take longer than a sample.
    let n_runs = contestants.each_mut().map(|run| {
        let first = Duration::from_secs_f64(run(2)).max(Duration::from_nanos(1));
        u32::try_from(SAMPLE.as_nanos() / first.as_nanos()).map_or(1, |n| n.max(1))
    });
    let (start, mut samples) = (Instant::now(), Vec::new());
    while samples.len() < MIN_SAMPLES || start.elapsed() < TIME {
        let mut runs = n_runs.into_iter().zip(&mut contestants).map(|(n, run)| run(n));
        samples.push([(); 4].map(|()| runs.next().expect("there are four contestants")));
    }
    let of = |of: &dyn Fn(&[f64; 4]) -> f64| median(samples.iter().map(of));
    Round {
        times: std::array::from_fn(|contestant| of(&|sample| sample[contestant])),
        engine_to_peer: of(&|[_, peer, engine, _]| engine / peer),
        speed_up: of(&|[.., engine, parallel]| engine / parallel),
    }
}

/// The time of a run in seconds, after one that is not timed.
fn time(n_runs: u32, mut run: impl FnMut()) -> f64 {
    run();
    let start = Instant::now();
    (0..n_runs).for_each(|_| run());
    start.elapsed().as_secs_f64() / f64::from(n_runs)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn pool(n_threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads can be started")
}

type Generate = fn(usize) -> Scene;

/// The families of scenes with these names in `boxwood_bench`.
const FAMILIES: [(&str, Generate); 2] =
    [("like a user interface", user_interface), ("random walk", random_walk)];

/// Half of the elements are leaves. The deeper a node is, the fewer children it has.
fn user_interface(n: usize) -> Scene {
    let mut depth = 0_u64;
    scene(n, |random| {
        if random.below(100) < 50 {
            tag::LEAF
        } else if depth == 0 || random.below(100) < 70_u64.saturating_sub(5 * depth).max(10) {
            depth += 1;
            tag::BEGIN
        } else {
            depth -= 1;
            tag::END
        }
    })
}

/// Begins and ends, equally likely, with unmatched ones of both kinds.
fn random_walk(n: usize) -> Scene {
    scene(n, |random| if random.below(2) == 0 { tag::BEGIN } else { tag::END })
}

/// A scene of large boxes with whole numbers, whose intersections have area at any depth.
fn scene(n: usize, mut next: impl FnMut(&mut Random) -> u32) -> Scene {
    let mut random = Random(1);
    let tags = (0..n).map(|_| next(&mut random)).collect();
    let mut number = |low: f32| low + f32::from(u16::try_from(random.below(1 << 12)).expect("12 bits"));
    let boxes = (0..n)
        .map(|_| Aabb {
            x0: number(-20_000.0),
            y0: number(-20_000.0),
            x1: number(16_000.0),
            y1: number(16_000.0),
        })
        .collect();
    Scene::from_streams(tags, boxes).expect("the values are plain")
}

/// The generator `SplitMix64` (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// What an engineer would write for one processor: intrinsics, and no check of an index.
#[cfg(target_arch = "x86_64")]
mod peer {
    #![expect(unsafe_code, reason = "the peer is as fast as possible; it is not shipped")]
    #![expect(clippy::cast_possible_truncation, reason = "scenes have at most 2^31 elements")]

    use std::arch::x86_64::{
        __m128, _mm_and_ps, _mm_andnot_ps, _mm_castsi128_ps, _mm_cmpge_ps, _mm_loadu_ps, _mm_max_ps,
        _mm_min_ps, _mm_or_ps, _mm_set_epi32, _mm_set1_ps, _mm_shuffle_ps, _mm_storeu_ps, _mm_xor_ps,
    };

    use boxwood_cpu::{Aabb, Boxes, Entry, EntryLink, Scene, tag};

    #[derive(Clone, Copy)]
    struct Open {
        clip: __m128,
        group: __m128,
        begin: i32,
    }

    #[derive(Default)]
    pub(super) struct Peer {
        boxes: Boxes,
        open: Vec<Open>,
    }

    /// The lanes x0, y0, −x1, −y1 of a box, or the reverse.
    #[inline(always)]
    fn negate_high(lanes: __m128) -> __m128 {
        // SAFETY: Every x86-64 processor has SSE2.
        unsafe { _mm_xor_ps(lanes, _mm_castsi128_ps(_mm_set_epi32(i32::MIN, i32::MIN, 0, 0))) }
    }

    #[inline(always)]
    fn load(aabb: &Aabb) -> __m128 {
        // SAFETY: An `Aabb` is four `f32`, and the load needs no alignment.
        negate_high(unsafe { _mm_loadu_ps((&raw const *aabb).cast()) })
    }

    #[inline(always)]
    fn intersect(a: __m128, b: __m128) -> __m128 {
        // SAFETY: Every x86-64 processor has SSE2.
        unsafe {
            let raw = _mm_max_ps(a, b);
            let other = _mm_xor_ps(_mm_shuffle_ps::<0b01_00_11_10>(raw, raw), _mm_set1_ps(-0.0));
            let flat = _mm_cmpge_ps(raw, other);
            let empty = _mm_or_ps(flat, _mm_shuffle_ps::<0b10_11_00_01>(flat, flat));
            _mm_or_ps(_mm_and_ps(empty, _mm_set1_ps(f32::MAX)), _mm_andnot_ps(empty, raw))
        }
    }

    impl Peer {
        pub(super) fn boxes(&mut self, scene: &Scene) -> &Boxes {
            let Boxes { entries, ranks, links, clip_boxes, clipped_boxes, group_boxes } = &mut self.boxes;
            entries.resize(scene.n_entries(), Entry(0));
            ranks.resize(scene.len(), 0);
            links.resize(scene.n_entries(), EntryLink::NONE);
            clip_boxes.resize(scene.n_entries(), Aabb::EMPTY);
            clipped_boxes.resize(scene.len(), Aabb::EMPTY);
            group_boxes.resize(scene.n_entries(), Aabb::EMPTY);
            let (entries, ranks, links) = (entries.as_mut_ptr(), ranks.as_mut_ptr(), links.as_mut_ptr());
            let (clip_boxes, group_boxes) = (clip_boxes.as_mut_ptr(), group_boxes.as_mut_ptr());
            let clipped_boxes = clipped_boxes.as_mut_ptr();
            // SAFETY: The callers pass an item of a vector of boxes, and the store needs no
            // alignment.
            let store = |to: *mut Aabb, lanes| unsafe { _mm_storeu_ps(to.cast(), negate_high(lanes)) };
            // SAFETY: Each index of an element is below the length of the scene, and each rank is
            // below the number of its entries. The vectors have these lengths.
            unsafe {
                let empty = _mm_set1_ps(f32::MAX);
                let mut top = Open { clip: _mm_set1_ps(-f32::MAX), group: empty, begin: -1 };
                self.open.clear();
                let mut rank = 0_i32;
                for (element, (&tag, own_box)) in scene.tags().iter().zip(scene.boxes()).enumerate() {
                    *ranks.add(element) = rank as u32;
                    let at = rank as usize;
                    match tag {
                        tag::BEGIN => {
                            *clipped_boxes.add(element) = Aabb::EMPTY;
                            *entries.add(at) = Entry(element as i32);
                            *links.add(at) = EntryLink { parent: top.begin, partner: -1 };
                            self.open.push(top);
                            top =
                                Open { clip: intersect(top.clip, load(own_box)), group: empty, begin: rank };
                            store(clip_boxes.add(at), top.clip);
                            rank += 1;
                        }
                        tag::END => {
                            *clipped_boxes.add(element) = Aabb::EMPTY;
                            *entries.add(at) = Entry(!(element as i32));
                            if let Some(outer) = self.open.pop() {
                                *links.add(at) = EntryLink { parent: outer.begin, partner: top.begin };
                                (*links.add(top.begin as usize)).partner = rank;
                                store(group_boxes.add(at), top.group);
                                store(group_boxes.add(top.begin as usize), top.group);
                                top = Open { group: _mm_min_ps(outer.group, top.group), ..outer };
                            } else {
                                *links.add(at) = EntryLink::NONE;
                                store(group_boxes.add(at), empty);
                            }
                            store(clip_boxes.add(at), top.clip);
                            rank += 1;
                        }
                        tag::NOP => *clipped_boxes.add(element) = Aabb::EMPTY,
                        _ => {
                            let clipped = intersect(top.clip, load(own_box));
                            store(clipped_boxes.add(element), clipped);
                            top.group = _mm_min_ps(top.group, clipped);
                        }
                    }
                }
                while let Some(outer) = self.open.pop() {
                    store(group_boxes.add(top.begin as usize), top.group);
                    top = Open { group: _mm_min_ps(outer.group, top.group), ..outer };
                }
            }
            &self.boxes
        }
    }
}

/// On other processors, the specification takes the place of the peer.
#[cfg(not(target_arch = "x86_64"))]
mod peer {
    use boxwood_cpu::{Boxes, Scene, specification};

    #[derive(Default)]
    pub(super) struct Peer(Boxes);

    impl Peer {
        pub(super) fn boxes(&mut self, scene: &Scene) -> &Boxes {
            self.0 = specification::boxes(scene);
            &self.0
        }
    }
}
