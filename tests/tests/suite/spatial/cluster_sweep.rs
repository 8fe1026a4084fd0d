//! The pairs of the sweep over clusters are those of the specification, in the same order, with as
//! many entries and candidates. The candidates are compared with those of stage *pairs*.

pub(super) mod faults;

use std::sync::OnceLock;

use boxwood::papers::{ClusterSweep, Clusters};
use boxwood::spatial::{Count, Items, SpatialError};
use boxwood::{Aabb, Context};
use boxwood_cpu::specification::papers as specification;
use boxwood_cpu::specification::spatial::{self as cpu, Axis, StripSweep, Sweep};
use boxwood_tests::{Random, box_families, box_family, gpu, sampled};

use super::{buffer, read, record};

/// Around every border of workgroups and shares of boxes.
const SIZES: [usize; 7] = [0, 1, 2, 33, 255, 256, 257];

/// Around every border of partitions and tiles, for families with fewer pairs.
const LARGE_SIZES: [usize; 5] = [2047, 2048, 2049, 4096, 9001];

/// One cluster, a few clusters, a number that is not a power of two, and the maximum.
const N_CLUSTERS: [u32; 4] = [1, 2, 13, 64];

fn as_u32(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

fn family(name: &str, n: usize) -> Vec<Aabb> {
    box_family(name).expect("it exists").generate(n, 1)
}

fn expected_sweep(boxes: &[Aabb], n_clusters: u32) -> specification::ClusterSweep {
    specification::ClusterSweep::new(boxes, n_clusters.max(1) as usize)
}

/// What differs from the specification, if anything does. There is room for so many pairs.
fn difference_from(
    context: &Context,
    boxes: &[Aabb],
    n_clusters: u32,
    sweep: &specification::ClusterSweep,
    expected: &[[u32; 2]],
    output_capacity: usize,
) -> Option<String> {
    let n = as_u32(boxes.len());
    // Boxes beyond their number are in no pair.
    let padded: Vec<Aabb> = boxes.iter().copied().chain([Aabb::PLANE; 5]).collect();
    let input = buffer(&padded);
    let items = Items { buffer: &input, count: Count::Host(n), capacity: n + 5 };
    // There is just enough room for the entries.
    let clusters = Clusters { n_clusters, entry_capacity: as_u32(sweep.entries.len()) };
    let stage = ClusterSweep::new(context, items, clusters, as_u32(output_capacity));
    let stage = stage.expect("it is within the limits");
    record(|pass| stage.record(pass));
    let input = format!("{n} boxes, {n_clusters} clusters");
    for (name, buffer, expected) in [
        ("entries", stage.entries_needed(), as_u32(sweep.entries.len())),
        ("candidates", stage.n_candidates(), sweep.total()),
        ("pairs", stage.needed(), as_u32(expected.len())),
    ] {
        let found = read::<u32>(buffer, 1)[0];
        if found != expected {
            return Some(format!("{input}: {expected} {name} expected, {found} found"));
        }
    }
    // The places after the last pair stay as they are.
    let found: Vec<[u32; 2]> = read(stage.pairs(), output_capacity);
    let expected = |place: usize| expected.get(place).copied().unwrap_or([0; 2]);
    let place = (0..output_capacity).find(|place| found[*place] != expected(*place))?;
    let (expected, found) = (expected(place), found[place]);
    Some(format!("{input}, pair {place}: {expected:?} expected, {found:?} found"))
}

/// The same with room for a few pairs more, for half of them, and for none.
fn difference(context: &Context, boxes: &[Aabb], n_clusters: u32) -> Option<String> {
    let sweep = expected_sweep(boxes, n_clusters);
    let expected = sweep.pairs(boxes);
    let with_capacity = |capacity| difference_from(context, boxes, n_clusters, &sweep, &expected, capacity);
    [expected.len() + 3, expected.len() / 2, 0].into_iter().find_map(with_capacity)
}

#[test]
fn pairs_of_clusters_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    let inputs = box_families().into_iter().flat_map(|family| SIZES.map(|n| (family, n)));
    for (number, (family, n)) in sampled(inputs).enumerate() {
        let boxes = family.generate(n, 1);
        // Each size has each number of clusters in some family.
        let found =
            difference(&context, &boxes, N_CLUSTERS[(number + number / SIZES.len()) % N_CLUSTERS.len()]);
        assert_eq!(found, None, "{}, {n} boxes", family.name);
    }
}

#[test]
fn many_boxes_have_their_pairs() {
    let context = Context::new(&gpu().device);
    let names = ["small boxes", "every ninth empty", "row", "staircase", "tiles with gaps"];
    let inputs = names.into_iter().flat_map(|name| LARGE_SIZES.map(|n| (name, n)));
    for (number, (name, n)) in sampled(inputs).enumerate() {
        let n_clusters = N_CLUSTERS[number % N_CLUSTERS.len()];
        assert_eq!(difference(&context, &family(name, n), n_clusters), None, "{name}");
    }
}

#[test]
fn the_candidates_of_the_documentation_are_those_of_the_gpu() {
    let context = Context::new(&gpu().device);
    for (name, [n_pairs, _, principal, clusters, _]) in sampled(NUMBERS) {
        let input = buffer(&family(name, N_DOCUMENTED));
        for (n_clusters, n_candidates) in [(1, principal), (1 << LG_PARTS, clusters)] {
            let clusters = Clusters { n_clusters, entry_capacity: 8 * as_u32(N_DOCUMENTED) };
            let items = Items::new(&input, as_u32(N_DOCUMENTED));
            let stage = ClusterSweep::new(&context, items, clusters, 1);
            let stage = stage.expect("it is within the limits");
            record(|pass| stage.record(pass));
            assert_eq!(read::<u32>(stage.n_candidates(), 1), [n_candidates], "{name}, {n_clusters} clusters");
            assert_eq!(read::<u32>(stage.needed(), 1), [n_pairs], "{name}, {n_clusters} clusters");
        }
    }
}

#[test]
fn random_boxes_have_their_pairs_in_any_number_of_clusters() {
    let context = Context::new(&gpu().device);
    let mut random = Random::new(11);
    for n_clusters in sampled((1..=64).step_by(3)) {
        let sides =
            [(); 2].map(|()| 2.0_f64.powi(i32::try_from(random.below(40)).expect("it is small") - 20));
        let mut one = |_| {
            let [x, y] = sides.map(|side| side * (random.unit() - 0.5));
            // Some boxes have no area.
            let [width, height] = sides.map(|side| side * (0.2 * random.unit() - 0.01));
            Aabb::new(x, y, x + width, y + height).expect("no NaN")
        };
        let boxes: Vec<Aabb> = (0..300).map(&mut one).collect();
        assert_eq!(difference(&context, &boxes, n_clusters), None);
    }
}

#[test]
fn touching_equal_and_collinear_boxes_have_the_pairs_of_the_specification() {
    let context = Context::new(&gpu().device);
    let aabb = |x0, y0, x1, y1| Aabb::new(x0, y0, x1, y1).expect("no NaN");
    let squares = |step: [f64; 2]| {
        let square = move |i: u8| {
            let [x, y] = step.map(|step| step * f64::from(i));
            aabb(x, y, x + 1.5, y + 1.5)
        };
        (0..40).map(square).collect::<Vec<Aabb>>()
    };
    let tile = |i: u8| aabb(f64::from(i % 8), f64::from(i / 8), f64::from(i % 8 + 1), f64::from(i / 8 + 1));
    let tiles: Vec<Aabb> = (0..64).map(tile).collect();
    let with_plane = [tiles.clone(), vec![Aabb::EMPTY, Aabb::PLANE]].concat();
    let inputs = [
        squares([1.0, 0.0]),
        squares([0.0, -1.0]),
        squares([1.0, 1.0]),
        squares([1.0, -1.0]),
        squares([3.0, -1.0]),
        vec![aabb(3.0, 4.0, 5.0, 6.0); 9],
        vec![Aabb::EMPTY; 9],
        vec![Aabb::PLANE; 9],
        tiles,
        with_plane,
    ];
    for boxes in inputs {
        for n_clusters in [0, 1, 3, 64] {
            assert_eq!(difference(&context, &boxes, n_clusters), None);
        }
    }
}

/// Boxes whose centers are along a falling line, so that their direction has a negative component.
fn falling_staircase(n: usize) -> Vec<Aabb> {
    let mirrored = |Aabb { x0, y0, x1, y1 }: Aabb| Aabb { x0, y0: -y1, x1, y1: -y0 };
    family("staircase", n).into_iter().map(mirrored).collect()
}

/// Random boxes in two halves that are far from each other along a falling line. So their mean and
/// their direction depend on both halves, and each has a few candidates.
fn far_halves(n: u32) -> Vec<Aabb> {
    const SIDE: f64 = 1e4;
    let (mut random, size) = (Random::new(3), 2.0 * SIDE / f64::from(n));
    let box_at = |i: u32| {
        let [u, v] = [(); 2].map(|()| random.unit());
        let [x, y] = if i < n / 2 { [0.3 * u, -0.05 * v] } else { [0.9 + 0.1 * u, -0.7 - 0.3 * v] };
        let [x, y] = [SIDE * x, SIDE * y];
        Aabb::new(x, y, x + size, y + size).expect("no NaN")
    };
    (0..n).map(box_at).collect()
}

/// What differs if an invocation has several boxes of a share. First, the second half of the boxes
/// is in the second round of all shares. Then, moments are more than 2^46: 2^19 squares of about
/// (0.4 * 2^15)^2.
fn difference_in_long_shares(context: &Context) -> Option<String> {
    type Expected = (Vec<Aabb>, specification::ClusterSweep, Vec<[u32; 2]>);
    static EXPECTED: OnceLock<[Expected; 2]> = OnceLock::new();
    let expected = EXPECTED.get_or_init(|| {
        [1 << 17, 1 << 19].map(|n| {
            let boxes = far_halves(n);
            let sweep = expected_sweep(&boxes, 1);
            let pairs = sweep.pairs(&boxes);
            (boxes, sweep, pairs)
        })
    });
    expected
        .iter()
        .find_map(|(boxes, sweep, pairs)| difference_from(context, boxes, 1, sweep, pairs, pairs.len()))
}

#[test]
fn a_share_can_have_several_boxes_per_invocation() {
    assert_eq!(difference_in_long_shares(&Context::new(&gpu().device)), None);
}

/// What differs if there is no room for all entries, and fewer boxes follow more.
fn difference_with_few_entries(context: &Context) -> Option<String> {
    const CLUSTERS: u32 = 4;
    let boxes = family("windows", 700);
    let sweep_of = |n: usize| expected_sweep(&boxes[..n], CLUSTERS);
    let (input, n) = (buffer(&boxes), as_u32(boxes.len()));
    let clusters = Clusters { n_clusters: CLUSTERS, entry_capacity: as_u32(sweep_of(300).entries.len()) };
    let stage = ClusterSweep::new(context, Items::new(&input, n), clusters, 100_000);
    let stage = stage.expect("it is within the limits");
    [700, 300, 301, 64, 0].into_iter().find_map(|n| {
        stage.set_count(&gpu().queue, as_u32(n)).expect("it is within the capacity");
        record(|pass| stage.record(pass));
        let sweep = sweep_of(n);
        let n_entries = as_u32(sweep.entries.len());
        let expected = sweep.pairs(&boxes[..n]);
        let has_room = n_entries <= clusters.entry_capacity;
        let needed = if has_room { as_u32(expected.len()) } else { u32::MAX };
        let is_right = read::<u32>(stage.entries_needed(), 1) == [n_entries]
            && read::<u32>(stage.needed(), 1) == [needed]
            && (!has_room || read::<[u32; 2]>(stage.pairs(), expected.len()) == expected);
        (!is_right).then(|| format!("{n} boxes after more"))
    })
}

#[test]
fn a_number_of_entries_beyond_the_capacity_is_noticed() {
    let context = Context::new(&gpu().device);
    assert_eq!(difference_with_few_entries(&context), None);
    let input = buffer(&family("windows", 300));
    let clusters = Clusters { n_clusters: 64, entry_capacity: 0 };
    let stage = ClusterSweep::new(&context, Items::new(&input, 300), clusters, 50);
    let stage = stage.expect("it is within the limits");
    record(|pass| stage.record(pass));
    assert_eq!(read::<u32>(stage.needed(), 1), [u32::MAX]);
    assert_eq!(read::<[u32; 2]>(stage.pairs(), 50), [[0; 2]; 50]);
}

#[test]
fn too_many_candidates_of_a_cluster_are_noticed() {
    const N: u32 = 93_000;
    let context = Context::new(&gpu().device);
    let input = buffer(&family("identical boxes", N as usize));
    let clusters = Clusters { n_clusters: 1, entry_capacity: N };
    let stage = ClusterSweep::new(&context, Items::new(&input, N), clusters, 9);
    let stage = stage.expect("it is within the limits");
    record(|pass| stage.record(pass));
    assert_eq!(read::<u32>(stage.entries_needed(), 1), [N]);
    assert_eq!(read::<u32>(stage.n_candidates(), 1), [u32::MAX]);
    assert_eq!(read::<u32>(stage.needed(), 1), [u32::MAX]);
    assert_eq!(read::<[u32; 2]>(stage.pairs(), 9), [[0; 2]; 9]);
}

#[test]
fn the_number_of_boxes_can_be_on_the_gpu() {
    let context = Context::new(&gpu().device);
    let (input, counts) = (buffer(&[Aabb::PLANE; 9]), buffer(&[7_u32, 3, 999]));
    for (word, needed) in [(1, 3), (2, 36)] {
        let count = Count::Gpu { buffer: &counts, word };
        let clusters = Clusters { n_clusters: 2, entry_capacity: 18 };
        let items = Items { buffer: &input, count, capacity: 9 };
        let stage = ClusterSweep::new(&context, items, clusters, 2).expect("it is within the limits");
        record(|pass| stage.record(pass));
        assert_eq!(read::<u32>(stage.needed(), 1), [needed]);
        assert_eq!(read::<[u32; 2]>(stage.pairs(), 2), [[0, 1], [0, 2]]);
        assert_eq!(stage.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
    }
}

#[test]
fn boxes_that_are_none_break_no_cluster() {
    let context = Context::new(&gpu().device);
    let inverted = Aabb { x0: 9.0, y0: 0.0, x1: 1.0, y1: 10.0 };
    let boxes = [inverted, Aabb::PLANE, Aabb { x1: f32::INFINITY, ..Aabb::PLANE }, inverted];
    assert_eq!(difference(&context, &boxes, 3), None);
    let input = buffer(&[Aabb { x0: f32::NAN, y1: f32::NAN, ..Aabb::PLANE }; 300]);
    let clusters = Clusters { n_clusters: 64, entry_capacity: 500 };
    let stage = ClusterSweep::new(&context, Items::new(&input, 300), clusters, 9);
    let stage = stage.expect("it is within the limits");
    record(|pass| stage.record(pass));
    read::<[u32; 2]>(stage.pairs(), 9);
}

#[test]
fn too_many_clusters_and_entries_are_refused() {
    let (context, device) = (Context::new(&gpu().device), &gpu().device);
    let input = buffer(&[Aabb::PLANE; 3]);
    let error = |n, n_clusters, entry_capacity| {
        let clusters = Clusters { n_clusters, entry_capacity };
        let stage = ClusterSweep::new(&context, Items::new(&input, n), clusters, 3);
        stage.expect_err("it is too large")
    };
    assert_eq!(error(4, 1, 3), SpatialError::TooLarge { buffer: "boxes", need: 4, limit: 3 });
    let out_of_range = |name, value, limit| SpatialError::OutOfRange { name, value, limit };
    assert_eq!(error(3, 65, 3), out_of_range("n_clusters", 65, 64));
    let limits = device.limits();
    let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / 16;
    let most = u32::MAX / 2;
    let need = most.into();
    assert_eq!(error(3, 1, most), SpatialError::TooLarge { buffer: "swept", need, limit });
    assert_eq!(error(3, 1, most + 1), SpatialError::TooManyItems { need: need + 1, limit: need });
}

/// The number of boxes of each family.
const N_DOCUMENTED: usize = 4096;

/// The logarithm of the number of clusters and strips.
const LG_PARTS: u32 = 4;

/// The numbers of pairs, and of candidates: of the sweep along the better of both axes, of the one
/// along the principal axis, of that in 16 clusters, and of the sweep along x in 16 strips. The
/// table in `docs/sources.md` has the same numbers.
const NUMBERS: [(&str, [u32; 5]); 6] = [
    ("small boxes", [144, 32_500, 37_107, 11_674, 2_223]),
    ("windows", [54_585, 447_628, 702_664, 1_018_366, 163_553]),
    ("nested panels", [32_704, 241_737, 241_821, 1_536_022, 142_985]),
    ("drawing", [136_187, 565_590, 975_915, 1_733_768, 245_322]),
    ("row", [32_966, 32_966, 32_972, 34_689, 32_966]),
    ("staircase", [4_095, 4_095, 4_095, 4_110, 4_095]),
];

#[test]
fn the_numbers_of_candidates_are_those_of_the_documentation() {
    let numbers = NUMBERS.map(|(name, _)| {
        let boxes = family(name, N_DOCUMENTED);
        let expected = cpu::pairs(&boxes);
        let [principal, clusters] = [1, 1 << LG_PARTS].map(|n| {
            let sweep = specification::ClusterSweep::new(&boxes, n);
            let mut pairs = sweep.pairs(&boxes);
            pairs.sort_unstable();
            assert!(pairs == expected, "{name}, {n} clusters");
            sweep.total()
        });
        let strips = StripSweep::new(&boxes, Axis::X, LG_PARTS).total();
        (name, [as_u32(expected.len()), Sweep::best(&boxes).total(), principal, clusters, strips])
    });
    assert_eq!(numbers, NUMBERS);
}
