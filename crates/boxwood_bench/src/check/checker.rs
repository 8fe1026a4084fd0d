//! Running the algorithms on a case and comparing their results.

use std::iter;

use boxwood::native::Gpu;
use boxwood::tree::{MatchBuffers, Matcher, TreeScan, TreeScanBuffers, TreeScanError};
use boxwood::{Algorithm, Boxes, Context, Entry, Outputs, Scene, SceneBoxes, read_items};

use super::case::{Case, Subject};
use super::word::{WORD, Word};
use crate::error::BenchError;
use crate::measure::{boxes_difference, difference};

/// The first difference, or `None` if all results are equal. The error satisfies [`is_limit`] if
/// the algorithm or the device cannot hold the input.
pub(super) type Outcome = Result<Option<String>, BenchError>;

/// Whether an error means that the algorithm or the device cannot hold the input.
pub(super) fn is_limit(error: &BenchError) -> bool {
    matches!(error, BenchError::Limits(_) | BenchError::Update(boxwood::UpdateError::Limits(_)))
}

/// The names of the algorithms for a task, in the order of [`Checker::check`].
pub(super) fn algorithms(subject: Subject) -> Vec<String> {
    match subject {
        Subject::Match => Matcher::ALL.iter().map(|matcher| format!("match, {}", matcher.name())).collect(),
        Subject::Boxes => Algorithm::ALL.iter().map(|all| format!("boxes, {}", all.name())).collect(),
        Subject::TreeScan => vec!["tree_scan, down and up".to_owned()],
    }
}

/// Every algorithm on one device.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    gpu: &'a Gpu,
    context: Context,
    scan: TreeScan,
}

impl<'a> Checker<'a> {
    pub(super) fn new(gpu: &'a Gpu) -> Self {
        let context = Context::new(&gpu.device);
        Self { gpu, scan: TreeScan::new(&context, &WORD).expect("the WGSL is that of a monoid"), context }
    }

    /// Runs each algorithm for the task of a case `n_runs` times, and compares each result. Stops
    /// an algorithm at its first difference. Scans run once.
    pub(super) fn check<'b>(&'b self, case: &'b Case, n_runs: u32) -> Box<dyn Iterator<Item = Outcome> + 'b> {
        match case {
            Case::Match { bits, expected } => Box::new(
                Matcher::ALL.iter().map(move |&matcher| self.check_match(matcher, bits, expected, n_runs)),
            ),
            Case::Boxes { scene, expected } => Box::new(
                Algorithm::ALL
                    .iter()
                    .map(move |&algorithm| self.check_boxes(algorithm, scene, expected, n_runs)),
            ),
            Case::TreeScan { entries, values, down, up } => {
                Box::new(iter::once_with(|| self.check_tree_scan(entries, values, down, up)))
            }
        }
    }

    fn check_match(&self, matcher: Matcher, bits: &[u32], expected: &[i32], n_runs: u32) -> Outcome {
        let Gpu { device, queue, .. } = self.gpu;
        let n = expected.len();
        let mut buffers = MatchBuffers::new(&self.context, matcher, n)?;
        buffers.upload(queue, bits, n)?;
        repeat(n_runs, || {
            self.submit(&[buffers.matches()], |pass| buffers.record(pass));
            Ok(difference("matches", expected, &read_items(device, queue, buffers.matches(), n)?))
        })
    }

    fn check_boxes(&self, algorithm: Algorithm, scene: &Scene, expected: &Boxes, n_runs: u32) -> Outcome {
        let queue = &self.gpu.queue;
        let (n_elements, n_entries) = (scene.len(), scene.n_entries());
        let mut buffers =
            SceneBoxes::with_algorithm(&self.context, Outputs::all(), algorithm, n_elements, n_entries)?;
        buffers.update(queue, scene)?;
        repeat(n_runs, || {
            let results = [
                buffers.entries(),
                buffers.ranks(),
                buffers.links(),
                buffers.clip_boxes(),
                buffers.clipped_boxes(),
                buffers.group_boxes(),
            ];
            self.submit(&results, |pass| buffers.record_in(pass));
            Ok(boxes_difference(expected, &buffers.read_back(queue)?))
        })
    }

    fn check_tree_scan(&self, entries: &[Entry], values: &[Word], down: &[Word], up: &[Word]) -> Outcome {
        let Gpu { device, queue, .. } = self.gpu;
        let n = entries.len();
        let mut buffers = TreeScanBuffers::new(&self.scan, n)?;
        match buffers.upload(queue, entries, values) {
            Err(TreeScanError::Limits(error)) => return Err(error.into()),
            uploaded => uploaded.expect("each entry has a value of the stride"),
        }
        self.submit(&[buffers.down(), buffers.up()], |pass| buffers.record(pass));
        let down = difference("down", down, &read_items(device, queue, buffers.down(), n)?);
        let up = difference("up", up, &read_items(device, queue, buffers.up(), n)?);
        Ok(down.or(up))
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
fn repeat(n_runs: u32, run: impl Fn() -> Outcome) -> Outcome {
    (0..n_runs).find_map(|_| run().transpose()).transpose()
}
