//! One measurement.

use std::fmt;

/// The times of several runs, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds {
    /// The median.
    pub median: f64,
    /// The shortest.
    pub min: f64,
    /// The longest.
    pub max: f64,
    /// The number of runs.
    pub runs: usize,
}

impl Seconds {
    /// The statistics of the times of all runs, or `None` without a run.
    pub fn of(mut times: Vec<f64>) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        let (&min, &max) = (times.first()?, times.last()?);
        let middle = times.len() / 2;
        let median =
            if times.len() % 2 == 1 { times[middle] } else { 0.5 * (times[middle - 1] + times[middle]) };
        Some(Self { median, min, max, runs: times.len() })
    }
}

/// A measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The measured task: `copy`, `empty`, `match`, `boxes`, a stage such as `boxes.clip`, a
    /// dispatch such as `boxes.fused_resolve`, `paths`, a dispatch of it such as `path_fill`,
    /// `vello`, `clip_stage`, or `frame`.
    pub what: String,
    /// The number of words, dispatches, entries, or elements.
    pub n: usize,
    /// The name of the family of inputs, or empty if there is only one.
    pub family: String,
    /// The name of the algorithm. `cpu` is the sequential one.
    pub variant: String,
    /// The times, or `None` if the device has no timestamps.
    pub seconds: Option<Seconds>,
    /// The rate divided by the rate that the bandwidth of the copy in the same run allows, given
    /// the bytes that the task must move at least. `None` if there is no such bound.
    pub ratio_to_copy: Option<f64>,
    /// Whether all results equal those of the specification.
    pub is_right: bool,
    /// The name of the adapter.
    pub adapter: String,
    /// The kind of the adapter, a name from `boxwood::testing::kind`.
    pub device: String,
    /// The date, such as `2026-01-31`.
    pub date: String,
}

impl Row {
    /// The rate: `n` per second.
    pub fn per_second(&self) -> Option<f64> {
        self.seconds.map(|seconds| float(self.n) / seconds.median)
    }

    /// A file name for rows like this one: the adapter and the date.
    pub fn file_stem(&self) -> String {
        let words = self.adapter.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let adapter = words.collect::<Vec<_>>().join("-").to_lowercase();
        format!("{adapter}-{}", self.date)
    }
}

/// A count as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn float(n: usize) -> f64 {
    n as f64
}

/// The text for a value that is not available.
pub(super) const NONE: &str = "n/a";

/// Writes a line of text in columns.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, n, family, variant, is_right, .. } = self;
        write!(f, "{what:<18} {n:>10}  {variant:<24}  {family:<36}")?;
        match (self.seconds, self.per_second()) {
            (Some(seconds), Some(rate)) => {
                let (rate, prefix) = match rate {
                    1e9.. => (rate / 1e9, 'G'),
                    1e6.. => (rate / 1e6, 'M'),
                    _ => (rate / 1e3, 'k'),
                };
                write!(f, " {:>12.2} us {rate:>10.3} {prefix}/s", seconds.median * 1e6)?;
            }
            _ => write!(f, " {NONE:>15} {NONE:>14}")?,
        }
        match self.ratio_to_copy {
            Some(ratio) => write!(f, " {:>6.1} %", 100.0 * ratio)?,
            None => write!(f, " {NONE:>8}")?,
        }
        f.write_str(if *is_right { "  checked" } else { "  WRONG" })
    }
}
