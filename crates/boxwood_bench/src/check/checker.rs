//! Running the algorithms on a case and comparing their results.

use boxwood::native::Gpu;
use boxwood::tree::{MatchBuffers, Matcher, Matchers, TreeScan, TreeScanBuffers, TreeScanError};
use boxwood::{Algorithm, Buffers, Pipelines};

use super::case::{Case, Subject};
use super::word::WORD;
use crate::error::BenchError;
use crate::measure::{Comparer, Difference};

/// An algorithm, with its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    Match(Matcher),
    Boxes(Algorithm),
    TreeScan,
}

/// The outcome for a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Same,
    Different(Difference),
    /// The algorithm or the device cannot hold the input.
    BeyondLimit,
}

impl Candidate {
    /// All algorithms for a task.
    pub(super) fn of(subject: Subject) -> Vec<Self> {
        match subject {
            Subject::Match => Matcher::ALL.iter().copied().map(Self::Match).collect(),
            Subject::Boxes => Algorithm::ALL.iter().copied().map(Self::Boxes).collect(),
            Subject::TreeScan => vec![Self::TreeScan],
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Match(matcher) => format!("match, {}", matcher.name()),
            Self::Boxes(algorithm) => format!("boxes, {}", algorithm.name()),
            Self::TreeScan => "tree_scan, down and up".to_owned(),
        }
    }
}

/// Every algorithm on one device.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    gpu: &'a Gpu,
    comparer: Comparer<'a>,
    matchers: Matchers,
    pipelines: Pipelines,
    scan: TreeScan,
}

impl<'a> Checker<'a> {
    pub(super) fn new(gpu: &'a Gpu) -> Self {
        Self {
            gpu,
            comparer: Comparer::new(gpu),
            matchers: Matchers::new(&gpu.device),
            pipelines: Pipelines::new(&gpu.device),
            scan: TreeScan::new(&gpu.device, &WORD).expect("the WGSL is that of a monoid"),
        }
    }

    /// Runs an algorithm `n_runs` times on a case for its task, and compares each result. Stops at
    /// the first difference.
    ///
    /// # Panics
    ///
    /// If the case is for another task.
    pub(super) fn check(
        &self,
        candidate: Candidate,
        case: &Case,
        n_runs: u32,
    ) -> Result<Verdict, BenchError> {
        let difference = match (candidate, case) {
            (Candidate::Match(matcher), Case::Match { bits, expected }) => {
                self.check_match(matcher, bits, expected, n_runs)
            }
            (Candidate::Boxes(algorithm), Case::Boxes { scene, expected }) => {
                self.check_boxes(algorithm, scene, expected, n_runs)
            }
            (Candidate::TreeScan, Case::TreeScan { .. }) => self.check_tree_scan(case),
            _ => panic!("{candidate:?} has another task than the case"),
        };
        match difference {
            Ok(difference) => Ok(difference.map_or(Verdict::Same, Verdict::Different)),
            Err(BenchError::Limits(_)) => Ok(Verdict::BeyondLimit),
            Err(error) => Err(error),
        }
    }

    fn check_match(
        &self,
        matcher: Matcher,
        bits: &[u32],
        expected: &[i32],
        n_runs: u32,
    ) -> Result<Option<Difference>, BenchError> {
        let Gpu { device, queue, .. } = self.gpu;
        let mut buffers = MatchBuffers::new(device, &self.matchers, matcher, expected.len())?;
        buffers.upload(queue, bits, expected.len())?;
        repeat(n_runs, || {
            self.submit(&[buffers.matches()], |pass| buffers.record(pass));
            self.comparer.difference("matches", expected, buffers.matches())
        })
    }

    fn check_boxes(
        &self,
        algorithm: Algorithm,
        scene: &boxwood::Scene,
        expected: &boxwood::Boxes,
        n_runs: u32,
    ) -> Result<Option<Difference>, BenchError> {
        let Gpu { device, queue, .. } = self.gpu;
        let (n_elements, n_nodes) = (scene.len(), scene.n_nodes());
        let mut buffers = Buffers::with_algorithm(device, &self.pipelines, n_elements, n_nodes, algorithm)?;
        buffers.upload(queue, scene)?;
        repeat(n_runs, || {
            let results = [
                buffers.nodes(),
                buffers.node_ranks(),
                buffers.links(),
                buffers.clip_boxes(),
                buffers.clipped_boxes(),
                buffers.group_boxes(),
            ];
            self.submit(&results, |pass| buffers.record_in(pass));
            self.comparer.difference_of_boxes(scene, expected, &buffers)
        })
    }

    fn check_tree_scan(&self, case: &Case) -> Result<Option<Difference>, BenchError> {
        let Case::TreeScan { nodes, values, down, up } = case else { return Ok(None) };
        let Gpu { device, queue, .. } = self.gpu;
        let mut buffers = TreeScanBuffers::new(device, &self.scan, nodes.len())?;
        match buffers.upload(queue, nodes, values) {
            Err(TreeScanError::Limits(error)) => return Err(error.into()),
            uploaded => uploaded.expect("each entry has a value of the stride"),
        }
        self.submit(&[buffers.down(), buffers.up()], |pass| buffers.record(pass));
        let down = self.comparer.difference("down", down, buffers.down())?;
        Ok(down.or(self.comparer.difference("up", up, buffers.up())?))
    }

    /// Submits a pass. Clears the results first, so that none of an earlier run remain.
    fn submit(&self, results: &[&wgpu::Buffer], record: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let Gpu { device, queue, .. } = self.gpu;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for result in results {
            encoder.clear_buffer(result, 0, None);
        }
        record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
        queue.submit([encoder.finish()]);
    }
}

/// The first difference in `n_runs` runs.
fn repeat(
    n_runs: u32,
    run: impl Fn() -> Result<Option<Difference>, BenchError>,
) -> Result<Option<Difference>, BenchError> {
    (0..n_runs).find_map(|_| run().transpose()).transpose()
}
