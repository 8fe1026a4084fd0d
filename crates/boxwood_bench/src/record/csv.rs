//! Rows as CSV.

use std::io::{self, Write};

use csv::StringRecord;

use super::row::{NONE, Row, Seconds};
use crate::error::BenchError;

const HEADER: &str =
    "what,n,family,variant,median_s,min_s,max_s,per_s,ratio_to_copy,runs,check,adapter,device,date";

/// The values of the column `check`.
const CHECKED: &str = "checked";
const WRONG: &str = "wrong";

/// Writes a header and rows.
///
/// # Errors
///
/// The error of the writer.
pub fn write_csv(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(HEADER.split(','))?;
    let number = |value: Option<f64>| value.map_or(NONE.to_owned(), |v| format!("{v:.6e}"));
    for row in rows {
        let time = |of: fn(&Seconds) -> f64| number(row.seconds.as_ref().map(of));
        table.serialize((
            &row.what,
            row.n,
            &row.family,
            &row.variant,
            time(|s| s.median),
            time(|s| s.min),
            time(|s| s.max),
            number(row.per_second()),
            number(row.ratio_to_copy),
            row.seconds.map_or(0, |s| s.runs),
            if row.is_right { CHECKED } else { WRONG },
            &row.adapter,
            &row.device,
            &row.date,
        ))?;
    }
    table.flush()
}

/// Reads rows that [`write_csv`] wrote.
///
/// # Errors
///
/// [`BenchError::Csv`] with the first invalid line.
pub fn read_csv(text: &str) -> Result<Vec<Row>, BenchError> {
    if text.lines().next() != Some(HEADER) {
        return Err(BenchError::Csv { line: 1, reason: format!("it must be `{HEADER}`") });
    }
    let table = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let row = |record: Result<StringRecord, csv::Error>| {
        let record = record.expect("text in memory can be read");
        let line = record.position().map_or(0, csv::Position::line);
        parse_row(&record).map_err(|reason| BenchError::Csv { line, reason })
    };
    table.into_records().map(row).collect()
}

fn parse_row(record: &StringRecord) -> Result<Row, String> {
    let [what, n, family, variant, median, min, max, _, ratio, runs, check, adapter, device, date] =
        <[&str; 14]>::try_from(record.iter().collect::<Vec<_>>())
            .map_err(|fields| format!("{} fields, not 14", fields.len()))?
            .map(str::to_owned);
    let number = |text: &str| match text {
        NONE => Ok(None),
        _ => text.parse::<f64>().map(Some).map_err(|e| format!("{e}: {text}")),
    };
    let count = |text: &str| text.parse::<usize>().map_err(|e| format!("{e}: {text}"));
    let runs = count(&runs)?;
    let seconds = match (number(&median)?, number(&min)?, number(&max)?) {
        (Some(median), Some(min), Some(max)) => {
            if let Some(time) = [median, min, max].into_iter().find(|time| !time.is_normal() || *time < 0.0) {
                return Err(format!("a time must be positive and finite: {time}"));
            }
            Some(Seconds { median, min, max, runs })
        }
        _ => None,
    };
    let is_right = match check.as_str() {
        CHECKED => true,
        WRONG => false,
        _ => return Err(format!("`{check}` is neither `{CHECKED}` nor `{WRONG}`")),
    };
    let (n, ratio_to_copy) = (count(&n)?, number(&ratio)?);
    Ok(Row { what, n, family, variant, seconds, ratio_to_copy, is_right, adapter, device, date })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_and_read() {
        let row = Row {
            what: "match".into(),
            n: 1024,
            family: "sawtooth, \"peak\" at the border".into(),
            variant: "simple".into(),
            seconds: Seconds::of(vec![3e-6, 1e-6, 2e-6]),
            ratio_to_copy: Some(0.5),
            is_right: true,
            adapter: "a GPU (64, big)".into(),
            device: "discrete".into(),
            date: "2026-01-31".into(),
        };
        let rows = [row.clone(), Row { seconds: None, ratio_to_copy: None, is_right: false, ..row }];
        let mut file = Vec::new();
        write_csv(&mut file, &rows).expect("a vector can be written");
        let file = String::from_utf8(file).expect("CSV is text");
        assert_eq!(read_csv(&file).expect("the rows are valid"), rows);
        assert_eq!(rows[0].seconds.map(|s| s.median), Some(2e-6));
        assert!(file.contains("n/a"), "{file}");
        for time in ["0", "-2e-6", "inf", "NaN", "1e-320"] {
            let error = read_csv(&file.replacen("2.000000e-6", time, 1))
                .expect_err("the time is invalid")
                .to_string();
            assert!(error.contains("line 2") && error.contains("positive and finite"), "{error}");
        }
    }
}
