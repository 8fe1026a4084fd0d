//! Stage *pairs*.

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::papers::{ClusterSweep, Clusters};
use boxwood::read_items;
use boxwood::spatial::{Axis, Index, Items, Order, Pairs, Source, SpatialError, Strips};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::Sweep;

use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::{Random, box_family};

/// The maximum number of boxes of a family with many pairs.
const MAX_BOXES_WITH_MANY_PAIRS: u32 = 1 << 14;

/// The maximum number of boxes whose pairs are found on the CPU.
const MAX_COMPARED_BOXES: u32 = 1 << 16;

/// The maximum number of boxes of a sweep, and of a sweep over clusters. More have more candidates
/// than a `u32` can count.
const MAX_SWEPT_BOXES: u32 = 1 << 20;

/// The number of later and earlier boxes that overlap a box, on average, in the first family.
const PAIRS_PER_BOX: f64 = 16.0;

/// The logarithm of the number of strips, if there are few boxes.
const MIN_LG_STRIPS: u32 = 4;

/// The numbers of clusters: one principal axis, as many clusters as strips, and the maximum.
const N_CLUSTERS: [u32; 3] = [1, 1 << MIN_LG_STRIPS, 64];

/// The same in a quick sweep: software takes a second for each.
const QUICK_N_CLUSTERS: [u32; 1] = [1 << MIN_LG_STRIPS];

/// The maximum number of entries of a box in clusters on average, in all families. Boxes of a
/// drawing have eight entries in 64 clusters.
const CLUSTERS_PER_BOX: u32 = 16;

/// The maximum number of pairs.
const MAX_PAIRS: u32 = 1 << 24;

/// Finds the pairs of `n` boxes, by sweeps and by a tree. The time of the tree includes that of
/// making it.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    of_boxes(session, context, "eight pairs per box", &boxes_with_pairs(n))?;
    for family in ["nested panels", "windows", "row", "staircase"] {
        if n <= MAX_BOXES_WITH_MANY_PAIRS || family == "staircase" {
            of_boxes(session, context, family, &box_family(family)?.generate(n as usize, 1))?;
        }
    }
    Ok(())
}

/// Boxes of one size at random places, so that there are eight pairs per box on average.
fn boxes_with_pairs(n: u32) -> Vec<Aabb> {
    // Two squares overlap if the distance of their centers is less than their size along both axes.
    let size = (PAIRS_PER_BOX / f64::from(n)).sqrt() / 2.0;
    let mut random = Random::new(5);
    let mut square = |_| {
        let [x, y] = [(); 2].map(|()| random.unit());
        Aabb::new(x, y, x + size, y + size).expect("no NaN")
    };
    (0..n).map(&mut square).collect()
}

fn of_boxes(
    session: &mut Session<'_>,
    context: &Context,
    family: &str,
    boxes: &[Aabb],
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let n = u32::try_from(boxes.len()).expect("the sizes are u32");
    let measured = Measured { what: "pairs", n: boxes.len(), family, ..Measured::default() };
    let input = uploaded(session.gpu, boxes);
    let items = Items::new(&input, n);
    let index = Index::new(context, items, Order::default());
    let (mut expected, mut n_pairs) = (None, None);
    if n <= MAX_COMPARED_BOXES {
        let (seconds, pairs) =
            time_on_cpu(session.options.n_runs(), || sorted(Sweep::best(boxes).pairs(boxes)));
        session.add(Measured { variant: "specification, sweep", seconds, is_right: true, ..measured })?;
        n_pairs = u32::try_from(pairs.len()).ok();
        expected = Some(pairs);
    }
    let n_clusters = if session.options.quick { &QUICK_N_CLUSTERS[..] } else { &N_CLUSTERS };
    for algorithm in algorithms(n, n_clusters, index.as_ref().ok()) {
        let Ok(stage) = algorithm.stage(context, items) else { continue };
        let record = |pass: &mut wgpu::ComputePass<'_>| {
            if let Algorithm::Tree(index) = algorithm {
                index.record(pass);
            }
            stage.record(pass);
        };
        let seconds = session.timer.time(record)?;
        let [needed_buffer, pairs] = stage.results();
        let needed = read_items::<u32>(device, queue, needed_buffer, 1)?[0];
        let results = [(needed_buffer, 1), (pairs, 2 * needed.min(MAX_PAIRS) as usize)];
        let with_read_back = session.timer.time_with_read_back(record, &results)?;
        let is_right = is_number_of_pairs(needed, &mut n_pairs)
            && match &expected {
                Some(expected) if needed <= MAX_PAIRS => {
                    sorted(read_items(device, queue, pairs, needed as usize)?) == *expected
                }
                _ => true,
            };
        let variant = &*algorithm.name();
        session.add(Measured { variant, seconds, with_read_back, is_right, ..measured })?;
    }
    Ok(())
}

/// How the pairs are found on the GPU.
#[derive(Clone, Copy)]
enum Algorithm<'a> {
    Sweep,
    Strips(Strips),
    Clusters(Clusters),
    Tree(&'a Index),
}

/// A stage that finds pairs.
enum Stage {
    Pairs(Pairs),
    Clusters(ClusterSweep),
}

/// The algorithms for `n` boxes, with these numbers of clusters.
fn algorithms<'a>(n: u32, n_clusters: &[u32], index: Option<&'a Index>) -> Vec<Algorithm<'a>> {
    let is_swept = n <= MAX_SWEPT_BOXES;
    let strips = Strips { axis: Axis::X, lg_strips: lg_strips(n), entry_capacity: 4 * n };
    let clusters =
        |&n_clusters| Algorithm::Clusters(Clusters { n_clusters, entry_capacity: CLUSTERS_PER_BOX * n });
    let sweep = is_swept.then_some(Algorithm::Sweep);
    let clusters = n_clusters.iter().filter(|_| is_swept).map(clusters);
    sweep
        .into_iter()
        .chain([Algorithm::Strips(strips)])
        .chain(clusters)
        .chain(index.map(Algorithm::Tree))
        .collect()
}

impl Algorithm<'_> {
    fn name(self) -> String {
        match self {
            Self::Sweep => "gpu, sweep".to_owned(),
            Self::Strips(strips) => format!("gpu, {} strips", 1 << strips.lg_strips),
            Self::Clusters(Clusters { n_clusters: 1, .. }) => "gpu, principal axis".to_owned(),
            Self::Clusters(clusters) => format!("gpu, {} clusters", clusters.n_clusters),
            Self::Tree(_) => "gpu, tree".to_owned(),
        }
    }

    fn stage(self, context: &Context, boxes: Items<'_>) -> Result<Stage, SpatialError> {
        match self {
            Self::Sweep => Pairs::new(context, Source::Boxes(boxes), MAX_PAIRS).map(Stage::Pairs),
            Self::Strips(strips) => Pairs::with_strips(context, boxes, strips, MAX_PAIRS).map(Stage::Pairs),
            Self::Clusters(clusters) => {
                ClusterSweep::new(context, boxes, clusters, MAX_PAIRS).map(Stage::Clusters)
            }
            Self::Tree(index) => Pairs::new(context, Source::Index(index), MAX_PAIRS).map(Stage::Pairs),
        }
    }
}

impl Stage {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        match self {
            Self::Pairs(stage) => stage.record(pass),
            Self::Clusters(stage) => stage.record(pass),
        }
    }

    /// The number of pairs, and the pairs.
    fn results(&self) -> [&wgpu::Buffer; 2] {
        match self {
            Self::Pairs(stage) => [stage.needed(), stage.pairs()],
            Self::Clusters(stage) => [stage.needed(), stage.pairs()],
        }
    }
}

/// The logarithm of the number of strips for `n` boxes of the first family.
///
/// With sides of 2 / sqrt(n), a box overlaps 4 / sqrt(n) of the n / S boxes in its strip along the
/// axis. Each pair of them is one candidate: 2 sqrt(n)^3 / S for all boxes. This is at most 2^31,
/// half of what a `u32` can count.
fn lg_strips(n: u32) -> u32 {
    (3 * n.max(1).ilog2()).div_ceil(2).saturating_sub(30).max(MIN_LG_STRIPS)
}

/// Whether all algorithms so far have found `needed` pairs. The first one sets `n_pairs`, unless it
/// is known.
fn is_number_of_pairs(needed: u32, n_pairs: &mut Option<u32>) -> bool {
    // An algorithm that cannot count its pairs or candidates reports the maximum, and finds no
    // pairs.
    needed < u32::MAX && needed == *n_pairs.get_or_insert(needed)
}

fn sorted(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::specification::spatial::StripSweep;

    use super::*;

    #[test]
    fn the_candidates_of_strips_can_be_counted() {
        // The number in the documentation of `lg_strips`, for boxes that can be in several strips.
        let estimate = |n: u32| {
            let n_strips = f64::from(1 << lg_strips(n));
            let n_entries_of_box = 1.0 + 2.0 * n_strips / f64::from(n).sqrt();
            2.0 * f64::from(n).powf(1.5) / n_strips * n_entries_of_box.powi(2)
        };
        let n = 1 << 14;
        let counted = StripSweep::new(&boxes_with_pairs(n), Axis::X, lg_strips(n)).total();
        assert!((f64::from(counted) / estimate(n) - 1.0).abs() < 0.1, "{counted}, {}", estimate(n));
        // More boxes need more strips than there can be.
        for lg_n in 10..=25 {
            assert!(estimate(1 << lg_n) < 0.6 * f64::from(u32::MAX), "2^{lg_n}");
        }
    }

    #[test]
    fn a_count_that_overflows_is_not_the_number_of_pairs() {
        let mut n_pairs = None;
        assert!(!is_number_of_pairs(u32::MAX, &mut n_pairs));
        assert!(is_number_of_pairs(134_217_728, &mut n_pairs));
        assert!(!is_number_of_pairs(u32::MAX, &mut n_pairs));
        assert!(!is_number_of_pairs(134_217_727, &mut n_pairs));
        assert!(is_number_of_pairs(134_217_728, &mut n_pairs));
    }
}
