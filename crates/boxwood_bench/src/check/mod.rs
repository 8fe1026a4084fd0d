//! Every algorithm against its specification, bit for bit, on synthetic inputs.
//!
//! The specification's answers are computed on other cores while the device is at work, and results are compared where they
//! are mapped.

mod case;
mod checker;
mod options;
mod word;

use std::fmt;
use std::io::Write;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use boxwood::native::Gpu;

pub use self::case::Subject;
use self::case::{Case, Source};
use self::checker::{Candidate, Checker, Verdict};
pub use self::options::CheckOptions;
use crate::compare::Difference;
use crate::error::BenchError;
use crate::parallel::n_cores;

/// Cases that are held at once have about so many elements together, of about 100 bytes each with the answers.
const ELEMENTS_AT_ONCE: usize = 1 << 27;

/// How many runs over how many inputs came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All results are those of the specification.
    pub n_ok: usize,
    /// Some are not.
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

/// Checks what `options` say, with a line in `out` for each algorithm and kind of input.
///
/// # Errors
///
/// A device that is lost or has too little memory, a family that there is not, or lines that cannot be written. That an algorithm
/// or the device does not hold an input is no error, nor is a difference: the line and the tally say so.
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
        // Each thread has every so many'th job, and waits with an answer until the device has come to it.
        let n_threads = n_threads(&jobs);
        let jobs = &jobs;
        let make = |first: usize| {
            let (sender, receiver) = sync_channel(0);
            scope.spawn(move || {
                let own = jobs.iter().skip(first).step_by(n_threads);
                // There is no receiver any more where an error has ended the check.
                own.map(|&(subject, source)| Case::new(subject, source)).all(|case| sender.send(case).is_ok())
            });
            receiver
        };
        let answers: Vec<Receiver<Case>> = (0..n_threads).map(make).collect();
        let mut cases = answers.iter().cycle().map(|answers| answers.recv().expect("each job has its case"));
        for (name, sources) in &inputs {
            for &subject in &subjects {
                let mut lines: Vec<Line<'_>> =
                    Candidate::of(subject).into_iter().map(|algorithm| Line::new(algorithm, name)).collect();
                for (_, case) in sources.iter().zip(&mut cases) {
                    for line in &mut lines {
                        line.add(case.n(), checker.check(line.algorithm, &case, options.repeat)?);
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

/// Every kind of input by its name, with those that there are of it.
fn inputs(options: &CheckOptions) -> Result<Vec<(String, Vec<Source>)>, BenchError> {
    let mut inputs = Vec::new();
    for (index, family) in options.families()?.into_iter().enumerate() {
        let of_size = |n| Source::Family(family, n);
        inputs.push((family.name.to_owned(), options.sizes(index).into_iter().map(of_size).collect()));
    }
    if options.extremes {
        let long = 1 << 24;
        for (name, runs) in [
            ("2^24 begins", [long, 0, 0]),
            ("2^23 begins, then as many ends", [long / 2, 0, long / 2]),
            ("3 begins, 10 million leaves, 3 ends", [3, 10_000_000, 3]),
        ] {
            inputs.push((name.to_owned(), vec![Source::Runs(runs)]));
        }
    }
    Ok(inputs)
}

fn n_threads(jobs: &[(Subject, Source)]) -> usize {
    let longest = jobs.iter().map(|(_, source)| source.n()).max().unwrap_or(0).max(1);
    (ELEMENTS_AT_ONCE / longest).clamp(1, n_cores())
}

/// What came of an algorithm on one kind of input.
#[derive(Debug)]
struct Line<'a> {
    algorithm: Candidate,
    input: &'a str,
    tally: Tally,
    /// The largest input that was not skipped.
    largest: usize,
    /// The size of the first input with a difference, and the difference.
    first: Option<(usize, Difference)>,
}

impl<'a> Line<'a> {
    fn new(algorithm: Candidate, input: &'a str) -> Self {
        Self { algorithm, input, tally: Tally::default(), largest: 0, first: None }
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

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { n_ok, n_different, n_skipped } = self.tally;
        let word = match (n_ok, n_different) {
            (0, 0) => "skipped",
            (_, 0) => "ok",
            _ => "DIFFERENT",
        };
        write!(f, "{word:<10} {:<24} {:<36}", self.algorithm.name(), self.input)?;
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
