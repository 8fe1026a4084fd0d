//! Times of layers, damage, and occlusion on one core: the specification beside the workspaces.
//!
//! Run it with `cargo run --release -p boxwood_cpu --example spatial_speed`. Each row has the
//! median times in microseconds, and how many times as fast the workspace is. The program checks
//! that both have the same result.

#![allow(clippy::print_stdout, reason = "the program prints its measurements")]

#[allow(dead_code, unreachable_pub, reason = "other programs use the rest")]
#[path = "../tests/families/mod.rs"]
mod families;

use std::hint::black_box;
use std::time::Instant;

use boxwood_cpu::specification::spatial as specification;
use boxwood_cpu::{Aabb, Batches, Damage, Frame, Layers, Occlusion, Partners, TileGrid};

use families::{Random, SIDE, family};

/// The number of runs that a median is taken of. It is odd, so that the median is one of the times.
const N_RUNS: usize = 31;

/// The same for a specification that compares each two boxes: more runs of it would take minutes.
const N_RUNS_OF_PAIRS: usize = 5;

/// The number of elements of damage and of occlusion.
const N_ELEMENTS: usize = 10_000;

/// The largest number of rectangles of damage.
const MAX_RECTANGLES: usize = 16;

fn main() {
    println!("{:62} {:>13} {:>12} {:>7}", "", "specification", "workspace", "ratio");
    layers();
    batches();
    damage();
    occlusion();
}

/// The median time of a function in microseconds, after one run that warms up.
fn median<T>(n_runs: usize, mut f: impl FnMut() -> T) -> f64 {
    black_box(f());
    let mut times: Vec<f64> = (0..n_runs)
        .map(|_| {
            let start = Instant::now();
            black_box(f());
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[n_runs / 2]
}

fn print(what: &str, [specification, workspace]: [f64; 2]) {
    println!("{what:62} {specification:13.1} {workspace:12.1} {:7.1}", specification / workspace);
}

fn layers() {
    let mut layers = Layers::new();
    for n in [2048, 16_384] {
        for name in ["nested panels", "windows", "drawing", "small boxes", "identical boxes"] {
            let boxes = family(name, n, 1);
            let expected = specification::layers(&boxes);
            assert_eq!(layers.of(&boxes), expected, "the layers of {name}");
            let before = median(N_RUNS_OF_PAIRS, || specification::layers(black_box(&boxes)));
            let after = median(N_RUNS, || layers.of(black_box(&boxes)).len());
            print(&format!("layers, {n} {name}"), [before, after]);
        }
    }
}

fn batches() {
    let mut batches = Batches::new();
    let layers = specification::layers(&family("windows", 16_384, 1));
    let keys: Vec<u32> = (0..16_384).map(|i| i % 4).collect();
    let (order, expected) = specification::batches(&layers, &keys);
    assert_eq!(batches.of(&layers, &keys), (&*order, &*expected));
    let before = median(N_RUNS, || specification::batches(black_box(&layers), &keys));
    let after = median(N_RUNS, || batches.of(black_box(&layers), &keys).0.len());
    print("batches, 16384 windows, 4 keys", [before, after]);
}

/// The boxes of a family on a picture of 1920 x 1080 pixels.
fn in_picture(name: &str) -> Vec<Aabb> {
    let scaled = |own: &Aabb| {
        let [x0, x1] = [own.x0, own.x1].map(|x| f64::from(x) * 1920.0 / SIDE);
        let [y0, y1] = [own.y0, own.y1].map(|y| f64::from(y) * 1080.0 / SIDE);
        Aabb::new(x0, y0, x1, y1).expect("no NaN")
    };
    family(name, N_ELEMENTS, 1).iter().map(scaled).collect()
}

fn damage() {
    let grid = TileGrid::new(1920, 1080);
    let (mut damage, mut partners) = (Damage::new(), Partners::new());
    let ids: Vec<u32> = (0..).take(N_ELEMENTS).collect();
    let mut random = Random::new(1);
    let number = |_| u32::try_from(random.below(1 << 30)).expect("it has 30 bits");
    let shuffled: Vec<u32> = ids.iter().map(number).collect();
    for (what, new_ids) in [
        ("the same ids", ids.clone()),
        ("one of ten ids new", {
            ids.iter().map(|id| if id % 10 == 9 { id + (1 << 20) } else { *id }).collect()
        }),
    ] {
        let old_ids = &ids;
        assert_eq!(partners.of(old_ids, &new_ids), specification::partners(old_ids, &new_ids));
        let before = median(N_RUNS, || specification::partners(black_box(old_ids), &new_ids));
        let after = median(N_RUNS, || partners.of(black_box(old_ids), &new_ids).len());
        print(&format!("partners, {N_ELEMENTS}, {what}"), [before, after]);
    }
    let before = median(N_RUNS, || specification::partners(black_box(&shuffled), &shuffled[1..]));
    let after = median(N_RUNS, || partners.of(black_box(&shuffled), &shuffled[1..]).len());
    print(&format!("partners, {N_ELEMENTS}, random ids, the first one removed"), [before, after]);
    for name in ["nested panels", "windows", "small boxes"] {
        let boxes = in_picture(name);
        for (changes, period) in
            [("none changed", u32::MAX), ("one of 1000 changed", 1000), ("all changed", 1)]
        {
            let old: Vec<u32> = vec![0; N_ELEMENTS];
            let new: Vec<u32> =
                (1..).map(|i: u32| u32::from(i.is_multiple_of(period))).take(N_ELEMENTS).collect();
            let frames = [&old, &new].map(|signatures| Frame { boxes: &boxes, signatures });
            let expected = specification::damage(frames, &ids, grid, MAX_RECTANGLES);
            let found = damage.between(frames, &ids, grid, MAX_RECTANGLES);
            assert_eq!((found.tiles, found.rectangles), (&*expected.tiles, &*expected.rectangles));
            let before =
                median(N_RUNS, || specification::damage(black_box(frames), &ids, grid, MAX_RECTANGLES));
            let after = median(N_RUNS, || {
                damage.between(black_box(frames), &ids, grid, MAX_RECTANGLES).rectangles.len()
            });
            print(&format!("damage, {N_ELEMENTS} {name}, {changes}"), [before, after]);
        }
    }
}

fn occlusion() {
    let grid = TileGrid::new(1920, 1080);
    let mut occlusion = Occlusion::new();
    for name in ["nested panels", "windows", "drawing", "small boxes"] {
        let boxes = in_picture(name);
        // Every second element is opaque.
        let inner = |(i, own): (usize, &Aabb)| if i.is_multiple_of(2) { *own } else { Aabb::EMPTY };
        let inner: Vec<Aabb> = boxes.iter().enumerate().map(inner).collect();

        assert_eq!(occlusion.by_tiles(&boxes, &inner, grid), specification::visible(&boxes, &inner, grid));
        let before = median(N_RUNS, || specification::visible(black_box(&boxes), &inner, grid));
        let after = median(N_RUNS, || occlusion.by_tiles(black_box(&boxes), &inner, grid).len());
        print(&format!("occlusion by tiles, {N_ELEMENTS} {name}"), [before, after]);

        let expected = specification::visible_by_boxes(&boxes, &inner, None);
        assert_eq!(occlusion.by_boxes(&boxes, &inner, None), expected);
        let before =
            median(N_RUNS_OF_PAIRS, || specification::visible_by_boxes(black_box(&boxes), &inner, None));
        let after = median(N_RUNS, || occlusion.by_boxes(black_box(&boxes), &inner, None).len());
        print(&format!("occlusion by boxes, {N_ELEMENTS} {name}"), [before, after]);
    }
}
