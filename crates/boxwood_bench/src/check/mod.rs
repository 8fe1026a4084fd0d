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

use self::case::Case;
pub use self::case::Subject;
use self::checker::{Checker, Outcome, algorithms, is_limit};
pub use self::options::CheckOptions;
use crate::error::BenchError;
use boxwood_inputs::{Family, extremes, selected_families};

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
    let groups = groups(options)?;
    let jobs = || groups.iter().flat_map(|group| group.sizes.iter().map(move |&n| (group, n)));
    let n_threads = n_threads(jobs().map(|(_, n)| n).max().unwrap_or(0));
    let checker = Checker::new(gpu);
    let mut tally = Tally::default();
    thread::scope(|scope| {
        // Thread i of n makes the cases i, i + n, and so on. It keeps a case until it is received.
        let spawn = |first: usize| {
            let (sender, receiver) = sync_channel(0);
            let mut own = jobs().skip(first).step_by(n_threads);
            // If an error ends the check, there is no receiver any more.
            scope.spawn(move || {
                own.all(|(Group { subject, family, .. }, n)| {
                    sender.send(Case::new(*subject, family, n)).is_ok()
                })
            });
            receiver
        };
        let receivers: Vec<Receiver<Case>> = (0..n_threads).map(spawn).collect();
        let mut cases = receivers.iter().cycle().map(|cases| cases.recv().expect("each job has a case"));
        for Group { subject, family, sizes } in &groups {
            let names = algorithms(*subject).into_iter();
            let mut lines: Vec<CheckLine> =
                names.map(|algorithm| CheckLine::new(algorithm, family.name)).collect();
            for case in cases.by_ref().take(sizes.len()) {
                for (line, outcome) in lines.iter_mut().zip(checker.check(&case, options.repeat)) {
                    line.add(case.n(), outcome)?;
                }
            }
            for line in &lines {
                let written = writeln!(out, "{line}").and_then(|()| out.flush());
                written.map_err(BenchError::Output)?;
                tally.add(line.tally);
            }
        }
        Ok(tally)
    })
}

/// The cases of a task with inputs of a family.
struct Group {
    subject: Subject,
    family: Family,
    sizes: Vec<usize>,
}

/// The groups in the order of their lines.
fn groups(options: &CheckOptions) -> Result<Vec<Group>, BenchError> {
    let families = selected_families(&options.family)?.into_iter().enumerate();
    let mut inputs: Vec<_> = families.map(|(i, family)| (family, options.sizes(i))).collect();
    if options.extremes {
        inputs.extend(extremes().map(|(family, n)| (family, vec![n])));
    }
    let of_input = |(family, sizes): (Family, Vec<usize>)| {
        let group = move |subject| Group { subject, family, sizes: sizes.clone() };
        options.subjects().into_iter().map(group)
    };
    Ok(inputs.into_iter().flat_map(of_input).collect())
}

/// The number of threads that make cases of up to `longest` elements: one per core, unless memory
/// is the limit.
fn n_threads(longest: usize) -> usize {
    let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
    (MAX_ELEMENTS_IN_MEMORY / longest.max(1)).clamp(1, n_cores)
}

/// The outcome for an algorithm and a kind of input.
#[derive(Debug)]
struct CheckLine {
    algorithm: String,
    input: &'static str,
    tally: Tally,
    /// The size of the largest input that was not skipped.
    largest: usize,
    /// The first difference, and the size of its input.
    first: Option<(usize, String)>,
}

impl CheckLine {
    fn new(algorithm: String, input: &'static str) -> Self {
        Self { algorithm, input, tally: Tally::default(), largest: 0, first: None }
    }

    /// Adds the outcome for an input of size `n`.
    fn add(&mut self, n: usize, outcome: Outcome) -> Result<(), BenchError> {
        match outcome {
            Ok(None) => self.tally.n_ok += 1,
            Ok(Some(difference)) => {
                self.tally.n_different += 1;
                self.first.get_or_insert((n, difference));
            }
            Err(error) if is_limit(&error) => {
                self.tally.n_skipped += 1;
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        self.largest = self.largest.max(n);
        Ok(())
    }
}

impl fmt::Display for CheckLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { n_ok, n_different, n_skipped } = self.tally;
        let word = match (n_ok, n_different) {
            (0, 0) => "skipped",
            (_, 0) => "ok",
            _ => "DIFFERENT",
        };
        write!(f, "{word:<10} {:<30} {:<36}", self.algorithm, self.input)?;
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
