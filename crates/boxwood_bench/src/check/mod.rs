//! Comparing every algorithm with its specification, bit for bit, on synthetic inputs.
//!
//! Threads compute the results of the specification while the device works on other cases.

mod case;
mod checker;
mod options;
mod word;

use std::fmt;
use std::io::Write;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use boxwood::native::Gpu;

pub use self::case::Subject;
use self::case::{Case, Source};
use self::checker::{Candidate, Checker, Verdict};
pub use self::options::CheckOptions;
use crate::error::BenchError;
use crate::inputs::Family;
use crate::measure::Difference;

/// The approximate number of elements of all cases in memory. With the results of the
/// specification, an element takes about 100 bytes.
const MAX_ELEMENTS_IN_MEMORY: usize = 1 << 27;

/// The number of cases by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All results equal those of the specification.
    pub n_ok: usize,
    /// Some results differ.
    pub n_different: usize,
    /// The algorithm or the device cannot hold the input.
    pub n_skipped: usize,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.n_ok += other.n_ok;
        self.n_different += other.n_different;
        self.n_skipped += other.n_skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_ok, n_different, n_skipped } = self;
        write!(f, "{n_ok} ok, {n_different} different, {n_skipped} skipped")
    }
}

/// Checks the selected algorithms, and writes a line to `out` for each algorithm and kind of input.
///
/// A difference is not an error, and neither is an input that an algorithm or the device cannot
/// hold. The line and the tally report them.
///
/// # Errors
///
/// [`BenchError`] if the device is lost or has too little memory, if a family does not exist, if no
/// size is left, or if a line cannot be written.
pub fn check(gpu: &Gpu, options: &CheckOptions, out: &mut dyn Write) -> Result<Tally, BenchError> {
    if options.min > options.max {
        return Err(BenchError::NoSize { min: options.min, max: options.max });
    }
    let inputs = inputs(options)?;
    let subjects = options.subjects();
    let jobs: Vec<(Subject, Source)> = inputs
        .iter()
        .flat_map(|(_, sources)| subjects.iter().map(move |&subject| (subject, sources)))
        .flat_map(|(subject, sources)| sources.iter().map(move |&source| (subject, source)))
        .collect();
    let checker = Checker::new(gpu);
    let mut tally = Tally::default();
    thread::scope(|scope| {
        // Thread i of n makes the cases i, i + n, and so on. It keeps a case until it is received.
        let n_threads = n_threads(&jobs);
        let jobs = &jobs;
        let spawn = |first: usize| {
            let (sender, receiver) = sync_channel(0);
            scope.spawn(move || {
                let own = jobs.iter().skip(first).step_by(n_threads);
                // If an error ends the check, there is no receiver any more.
                own.map(|&(subject, source)| Case::new(subject, source)).all(|case| sender.send(case).is_ok())
            });
            receiver
        };
        let receivers: Vec<Receiver<Case>> = (0..n_threads).map(spawn).collect();
        let mut cases = receivers.iter().cycle().map(|cases| cases.recv().expect("each job has a case"));
        for (name, sources) in &inputs {
            for &subject in &subjects {
                let mut lines: Vec<Line> =
                    Candidate::of(subject).into_iter().map(|candidate| Line::new(candidate, name)).collect();
                for (_, case) in sources.iter().zip(&mut cases) {
                    for line in &mut lines {
                        line.add(case.n(), checker.check(line.candidate, &case, options.repeat)?);
                    }
                }
                for line in &lines {
                    let written = writeln!(out, "{line}").and_then(|()| out.flush());
                    written.map_err(BenchError::Output)?;
                    tally.add(line.tally);
                }
            }
        }
        Ok(tally)
    })
}

/// The inputs, grouped by kind, with the name of each kind.
fn inputs(options: &CheckOptions) -> Result<Vec<(&'static str, Vec<Source>)>, BenchError> {
    let of_family = |(index, family): (usize, Family)| {
        let sources = options.sizes(index).into_iter().map(|n| Source::Family(family, n)).collect();
        (family.name, sources)
    };
    let long = 1 << 24;
    let extremes = [
        ("2^24 begins", [long, 0, 0]),
        ("2^23 begins, then as many ends", [long / 2, 0, long / 2]),
        ("3 begins, 10 million leaves, 3 ends", [3, 10_000_000, 3]),
    ]
    .map(|(name, runs)| (name, vec![Source::Runs(runs)]));
    let extremes = extremes.into_iter().filter(|_| options.extremes);
    Ok(options.families()?.into_iter().enumerate().map(of_family).chain(extremes).collect())
}

/// The number of threads that make cases: one per core, unless memory is the limit.
fn n_threads(jobs: &[(Subject, Source)]) -> usize {
    let longest = jobs.iter().map(|(_, source)| source.n()).max().unwrap_or(0).max(1);
    let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
    (MAX_ELEMENTS_IN_MEMORY / longest).clamp(1, n_cores)
}

/// The outcome for an algorithm and a kind of input.
#[derive(Debug)]
struct Line {
    candidate: Candidate,
    input: &'static str,
    tally: Tally,
    /// The size of the largest input that was not skipped.
    largest: usize,
    /// The first difference, and the size of its input.
    first: Option<(usize, Difference)>,
}

impl Line {
    fn new(candidate: Candidate, input: &'static str) -> Self {
        Self { candidate, input, tally: Tally::default(), largest: 0, first: None }
    }

    fn add(&mut self, n: usize, verdict: Verdict) {
        match verdict {
            Verdict::Same => self.tally.n_ok += 1,
            Verdict::Different(difference) => {
                self.tally.n_different += 1;
                self.first.get_or_insert((n, difference));
            }
            Verdict::BeyondLimit => {
                self.tally.n_skipped += 1;
                return;
            }
        }
        self.largest = self.largest.max(n);
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { n_ok, n_different, n_skipped } = self.tally;
        let word = match (n_ok, n_different) {
            (0, 0) => "skipped",
            (_, 0) => "ok",
            _ => "DIFFERENT",
        };
        write!(f, "{word:<10} {:<24} {:<36}", self.candidate.name(), self.input)?;
        if n_ok + n_different > 0 {
            write!(f, " {n_ok} of {} sizes up to {}", n_ok + n_different, self.largest)?;
        }
        if n_skipped > 0 {
            let comma = if n_ok + n_different > 0 { "," } else { "" };
            write!(f, "{comma} {n_skipped} skipped: limit")?;
        }
        if let Some((n, difference)) = &self.first {
            write!(f, "; first at n = {n}, {difference}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
