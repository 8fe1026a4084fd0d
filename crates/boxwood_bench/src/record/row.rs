//! One measurement, and rows as CSV.

use std::fmt;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::error::BenchError;

/// The times of several runs, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) runs: usize,
}

impl Seconds {
    /// The statistics of the times of all runs, or `None` without a run.
    pub(crate) fn of(mut times: Vec<f64>) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        let (&min, &max) = (times.first()?, times.last()?);
        let middle = times.len() / 2;
        let median =
            if times.len() % 2 == 1 { times[middle] } else { 0.5 * (times[middle - 1] + times[middle]) };
        Some(Self { median, min, max, runs: times.len() })
    }
}

/// A measurement. The fields are the columns of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The measured task: `copy`, `empty`, `match`, `boxes`, a stage such as `boxes.clip`, a
    /// dispatch such as `boxes.fused_resolve`, `paths`, a dispatch of it such as `path_fill`,
    /// `json`, `json_match`, `brackets`, `vello`, `clip_stage`, or `frame`.
    pub what: String,
    /// The number of words, dispatches, entries, elements, or bytes.
    pub n: usize,
    /// The name of the family of inputs, or empty if there is only one.
    pub family: String,
    /// The name of the algorithm. `cpu` is the fast one on a core of the CPU, `cpu_all_cores` the
    /// same on all cores, and `specification` the obvious one on a core.
    pub variant: String,
    /// The median of the times in seconds. All times are `None` if the device has no timestamps.
    #[serde(with = "time")]
    pub median_s: Option<f64>,
    /// The shortest time.
    #[serde(with = "time")]
    pub min_s: Option<f64>,
    /// The longest time.
    #[serde(with = "time")]
    pub max_s: Option<f64>,
    /// The median of the times from the submission until the results are in the memory of the CPU,
    /// by the clock of the CPU. `None` for tasks whose results stay on the device, and in tables
    /// without this column.
    #[serde(with = "time", default)]
    pub with_read_back_s: Option<f64>,
    /// The rate: `n` per second.
    #[serde(with = "optional")]
    pub per_s: Option<f64>,
    /// The rate divided by the rate that the bandwidth of the copy in the same run allows, given
    /// the bytes that the task must move at least. `None` if there is no such bound.
    #[serde(with = "optional")]
    pub ratio_to_copy: Option<f64>,
    /// The number of runs.
    pub runs: usize,
    /// Whether the results are right.
    pub check: Check,
    /// The name of the adapter.
    pub adapter: String,
    /// The kind of the adapter, a name from `boxwood::native::kind`.
    pub device: String,
    /// The date, such as `2026-01-31`.
    pub date: String,
}

/// The names of the columns, in the order of the fields of [`Row`].
const COLUMNS: [&str; 15] = [
    "what",
    "n",
    "family",
    "variant",
    "median_s",
    "min_s",
    "max_s",
    "with_read_back_s",
    "per_s",
    "ratio_to_copy",
    "runs",
    "check",
    "adapter",
    "device",
    "date",
];

/// Whether all results equal those of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// All are equal.
    Checked,
    /// Some differ.
    Wrong,
    /// They were not compared: in a table of another program, or because the specification would
    /// take too long.
    #[serde(rename = "n/a")]
    Unknown,
}

impl Row {
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
const NONE: &str = "n/a";

/// Writes a line of text in columns.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, n, family, variant, .. } = self;
        write!(f, "{what:<18} {n:>10}  {variant:<24}  {family:<36}")?;
        match (self.median_s, self.per_s) {
            (Some(seconds), Some(rate)) => {
                let (rate, prefix) = match rate {
                    1e9.. => (rate / 1e9, 'G'),
                    1e6.. => (rate / 1e6, 'M'),
                    _ => (rate / 1e3, 'k'),
                };
                write!(f, " {:>12.2} us {rate:>10.3} {prefix}/s", seconds * 1e6)?;
            }
            _ => write!(f, " {NONE:>15} {NONE:>14}")?,
        }
        match self.with_read_back_s {
            Some(seconds) => write!(f, " {:>12.2} us", seconds * 1e6)?,
            None => write!(f, " {NONE:>15}")?,
        }
        match self.ratio_to_copy {
            Some(ratio) => write!(f, " {:>6.1} %", 100.0 * ratio)?,
            None => write!(f, " {NONE:>8}")?,
        }
        f.write_str(match self.check {
            Check::Checked => "  checked",
            Check::Wrong => "  WRONG",
            Check::Unknown => "  n/a",
        })
    }
}

/// Writes a header and rows.
///
/// # Errors
///
/// The error of the writer.
pub fn write_csv(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    table.write_record(COLUMNS)?;
    for row in rows {
        table.serialize(row)?;
    }
    table.flush()
}

/// Reads rows that [`write_csv`] wrote.
///
/// # Errors
///
/// [`BenchError::Csv`] with the first invalid line, or [`BenchError::NoRows`].
pub fn read_csv(text: &str) -> Result<Vec<Row>, BenchError> {
    let table = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<Row> = table.into_deserialize().collect::<Result<_, _>>()?;
    if rows.is_empty() { Err(BenchError::NoRows) } else { Ok(rows) }
}

/// A number, or [`NONE`].
mod optional {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::NONE;

    #[expect(clippy::ref_option, reason = "serde calls it with the field")]
    pub(super) fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(&format_args!("{value:.6e}")),
            None => serializer.serialize_str(NONE),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            NONE => Ok(None),
            text => text.parse().map(Some).map_err(|error| D::Error::custom(format!("{error}: {text}"))),
        }
    }
}

/// A positive number of seconds, or [`NONE`].
mod time {
    use serde::Deserializer;
    use serde::de::Error;

    pub(super) use super::optional::serialize;

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        match super::optional::deserialize(deserializer)? {
            Some(time) if !time.is_normal() || time < 0.0 => {
                Err(D::Error::custom(format!("a time must be positive and finite: {time}")))
            }
            time => Ok(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(rows: &[Row]) -> String {
        let mut file = Vec::new();
        write_csv(&mut file, rows).expect("a vector can be written");
        String::from_utf8(file).expect("CSV is text")
    }

    #[test]
    fn a_table_without_rows_has_the_header() {
        assert_eq!(written(&[]), COLUMNS.join(",") + "\n");
    }

    #[test]
    fn rows_are_written_and_read() {
        let row = Row {
            what: "match".into(),
            n: 1024,
            family: "sawtooth, \"peak\" at the border".into(),
            variant: "simple".into(),
            median_s: Some(2e-6),
            min_s: Some(1e-6),
            max_s: Some(3e-6),
            with_read_back_s: Some(4e-4),
            per_s: Some(5.12e8),
            ratio_to_copy: Some(0.5),
            runs: 3,
            check: Check::Checked,
            adapter: "a GPU (64, big)".into(),
            device: "discrete".into(),
            date: "2026-01-31".into(),
        };
        let wrong = Row {
            median_s: None,
            with_read_back_s: None,
            ratio_to_copy: None,
            check: Check::Wrong,
            ..row.clone()
        };
        let empty = Row { n: 0, per_s: Some(0.0), ..row.clone() };
        let rows = [row, wrong, empty];
        let file = written(&rows);
        assert_eq!(read_csv(&file).expect("the rows are valid"), rows);
        let expected = "what,n,family,variant,median_s,min_s,max_s,with_read_back_s,per_s,ratio_to_copy,runs,check,adapter,device,date
match,1024,\"sawtooth, \"\"peak\"\" at the border\",simple,2.000000e-6,1.000000e-6,3.000000e-6,4.000000e-4,5.120000e8,5.000000e-1,3,checked,\"a GPU (64, big)\",discrete,2026-01-31
match,1024,\"sawtooth, \"\"peak\"\" at the border\",simple,n/a,1.000000e-6,3.000000e-6,n/a,5.120000e8,n/a,3,wrong,\"a GPU (64, big)\",discrete,2026-01-31
match,0,\"sawtooth, \"\"peak\"\" at the border\",simple,2.000000e-6,1.000000e-6,3.000000e-6,4.000000e-4,0.000000e0,5.000000e-1,3,checked,\"a GPU (64, big)\",discrete,2026-01-31
";
        assert_eq!(file, expected);
        let without_column =
            "what,n,family,variant,median_s,min_s,max_s,per_s,ratio_to_copy,runs,check,adapter,device,date
match,1024,,simple,2e-6,1e-6,3e-6,5e8,n/a,3,n/a,GPU,discrete,2026-01-31
";
        let other = &read_csv(without_column).expect("the column may be missing")[0];
        assert_eq!((other.with_read_back_s, other.check), (None, Check::Unknown));
        for time in ["0", "-2e-6", "inf", "NaN", "1e-320"] {
            let error = read_csv(&file.replacen("2.000000e-6", time, 1))
                .expect_err("the time is invalid")
                .to_string();
            assert!(error.contains("line: 2") && error.contains("positive and finite"), "{error}");
        }
        for (text, reason) in [
            ("", "no measurements"),
            ("n,algorithm\n", "no measurements"),
            ("n,algorithm\n1,simple\n", "missing field `what`"),
            (&file.replace("checked", "unchecked"), "unknown variant `unchecked`"),
            (&file.replace(",3,wrong", ",wrong"), "14 fields"),
        ] {
            let error = read_csv(text).expect_err("it is not a table of measurements").to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
