//! A measurement, and tables of them.

use std::fmt;
use std::io::{self, Write};

use crate::error::BenchError;

/// Times of a number of runs, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds {
    /// The median.
    pub median: f64,
    /// The shortest.
    pub min: f64,
    /// The longest.
    pub max: f64,
    /// How many runs there were.
    pub runs: usize,
}

impl Seconds {
    /// Of the times of all runs; none where there was no run.
    pub fn of(mut times: Vec<f64>) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        let (&min, &max) = (times.first()?, times.last()?);
        let middle = times.len() / 2;
        let median =
            if times.len() % 2 == 1 { times[middle] } else { 0.5 * (times[middle - 1] + times[middle]) };
        Some(Self { median, min, max, runs: times.len() })
    }
}

/// Whether what was measured gave the right answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// All of it was compared with the specification and is equal.
    Checked,
    /// It differs.
    Wrong,
}

impl Check {
    /// Of a comparison.
    pub(crate) fn of(is_right: bool) -> Self {
        if is_right { Self::Checked } else { Self::Wrong }
    }
}

/// A measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was measured: `copy`, `empty`, `match`, `boxes`, a stage as `boxes.clip`, a dispatch as
    /// `boxes.bound_leaf`, `path_bounds`, a dispatch of it as `path_bounds_fill`, `vello`,
    /// `clip_stage`, `frame`.
    pub what: String,
    /// How many words, dispatches, entries or elements it had.
    pub n: usize,
    /// Of what kind the input was; empty where there is but one.
    pub family: String,
    /// Which algorithm; `cpu` is the sequential one.
    pub variant: String,
    /// How long it took; none where the device has no timestamps.
    pub seconds: Option<Seconds>,
    /// The rate as a part of what the bandwidth of the copy in the same run allows, for the bytes that the task must move at
    /// least; none where there is no such bound.
    pub ratio_to_copy: Option<f64>,
    /// Whether the answer was right.
    pub check: Check,
    /// What it ran on.
    pub adapter: String,
    /// Of what kind that is, as `boxwood::testing::kind` has it.
    pub device: String,
    /// The day, as `2026-01-31`.
    pub date: String,
}

const HEADER: &str =
    "what,n,family,variant,median_s,min_s,max_s,per_s,ratio_to_copy,runs,check,adapter,device,date";

/// What a field without a value says.
const NONE: &str = "n/a";

impl Row {
    /// How many of `n` a second.
    pub fn per_second(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        self.seconds.map(|seconds| self.n as f64 / seconds.median)
    }

    /// A name for files of rows like this: the adapter and the day.
    pub fn file_stem(&self) -> String {
        let words = self.adapter.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let adapter = words.collect::<Vec<_>>().join("-").to_lowercase();
        format!("{adapter}-{}", self.date)
    }

    fn to_csv(&self) -> String {
        let number = |value: Option<f64>| value.map_or(NONE.to_owned(), |v| format!("{v:.6e}"));
        [
            self.what.clone(),
            self.n.to_string(),
            text(&self.family),
            text(&self.variant),
            number(self.seconds.map(|s| s.median)),
            number(self.seconds.map(|s| s.min)),
            number(self.seconds.map(|s| s.max)),
            number(self.per_second()),
            number(self.ratio_to_copy),
            self.seconds.map_or(0, |s| s.runs).to_string(),
            match self.check {
                Check::Checked => "checked".to_owned(),
                Check::Wrong => "wrong".to_owned(),
            },
            text(&self.adapter),
            self.device.clone(),
            self.date.clone(),
        ]
        .join(",")
    }

    fn from_csv(line: &str) -> Result<Self, String> {
        let fields = fields(line);
        let [what, n, family, variant, median, min, max, _, ratio, runs, check, adapter, device, date] =
            <[String; 14]>::try_from(fields).map_err(|f| format!("{} fields, not 14", f.len()))?;
        let number = |text: &str| match text {
            NONE => Ok(None),
            _ => text.parse::<f64>().map(Some).map_err(|e| format!("{e}: {text}")),
        };
        let count = |text: &str| text.parse::<usize>().map_err(|e| format!("{e}: {text}"));
        let runs = count(&runs)?;
        let seconds = match (number(&median)?, number(&min)?, number(&max)?) {
            (Some(median), Some(min), Some(max)) => {
                if let Some(time) =
                    [median, min, max].into_iter().find(|time| !time.is_normal() || *time < 0.0)
                {
                    return Err(format!("a time must be positive and finite: {time}"));
                }
                Some(Seconds { median, min, max, runs })
            }
            _ => None,
        };
        let check = match check.as_str() {
            "checked" => Check::Checked,
            "wrong" => Check::Wrong,
            other => return Err(format!("`{other}` is neither `checked` nor `wrong`")),
        };
        let (n, ratio_to_copy) = (count(&n)?, number(&ratio)?);
        Ok(Self { what, n, family, variant, seconds, ratio_to_copy, check, adapter, device, date })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, n, family, variant, check, .. } = self;
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
        f.write_str(if *check == Check::Checked { "  checked" } else { "  WRONG" })
    }
}

/// Writes rows as CSV, with a header.
///
/// # Errors
///
/// What cannot be written.
pub fn write_csv(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", row.to_csv()))
}

/// Reads rows that [`write_csv`] wrote.
///
/// # Errors
///
/// The first line that is none of these.
pub fn read_csv(text: &str) -> Result<Vec<Row>, BenchError> {
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, line)| line) != Some(HEADER) {
        return Err(BenchError::Csv { line: 1, reason: format!("it must be `{HEADER}`") });
    }
    let row =
        |(index, line)| Row::from_csv(line).map_err(|reason| BenchError::Csv { line: index + 1, reason });
    lines.map(row).collect()
}

/// A text as a field, in quotes where it needs them.
fn text(value: &str) -> String {
    if value.contains([',', '"']) { format!("\"{}\"", value.replace('"', "\"\"")) } else { value.to_owned() }
}

fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let field = fields.last_mut().expect("there is always one");
        match c {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_a_file() {
        let row = Row {
            what: "match".into(),
            n: 1024,
            family: "sawtooth, \"peak\" at the border".into(),
            variant: "simple".into(),
            seconds: Seconds::of(vec![3e-6, 1e-6, 2e-6]),
            ratio_to_copy: Some(0.5),
            check: Check::Checked,
            adapter: "a GPU (64, big)".into(),
            device: "discrete".into(),
            date: "2026-01-31".into(),
        };
        let rows = [row.clone(), Row { seconds: None, ratio_to_copy: None, check: Check::Wrong, ..row }];
        let mut file = Vec::new();
        write_csv(&mut file, &rows).expect("memory takes it");
        let file = String::from_utf8(file).expect("it is text");
        assert_eq!(read_csv(&file).expect("it reads"), rows);
        assert_eq!(rows[0].seconds.map(|s| s.median), Some(2e-6));
        assert!(file.contains("n/a"), "{file}");
        for time in ["0", "-2e-6", "inf", "NaN", "1e-320"] {
            let error =
                read_csv(&file.replacen("2.000000e-6", time, 1)).expect_err("it is no time").to_string();
            assert!(error.contains("line 2") && error.contains("positive and finite"), "{error}");
        }
    }
}
