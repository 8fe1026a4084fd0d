//! Rows as CSV.

use std::io::{self, Write};

use super::row::{Check, NONE, Row, Seconds};
use crate::error::BenchError;

const HEADER: &str =
    "what,n,family,variant,median_s,min_s,max_s,per_s,ratio_to_copy,runs,check,adapter,device,date";

/// Writes a header and rows.
///
/// # Errors
///
/// The error of the writer.
pub fn write_csv(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", fields_of(row).join(",")))
}

fn fields_of(row: &Row) -> [String; 14] {
    let number = |value: Option<f64>| value.map_or(NONE.to_owned(), |v| format!("{v:.6e}"));
    let time = |of: fn(&Seconds) -> f64| number(row.seconds.as_ref().map(of));
    [
        row.what.clone(),
        row.n.to_string(),
        quoted(&row.family),
        quoted(&row.variant),
        time(|s| s.median),
        time(|s| s.min),
        time(|s| s.max),
        number(row.per_second()),
        number(row.ratio_to_copy),
        row.seconds.map_or(0, |s| s.runs).to_string(),
        row.check.name().to_owned(),
        quoted(&row.adapter),
        row.device.clone(),
        row.date.clone(),
    ]
}

/// Reads rows that [`write_csv`] wrote.
///
/// # Errors
///
/// [`BenchError::Csv`] with the first invalid line.
pub fn read_csv(text: &str) -> Result<Vec<Row>, BenchError> {
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, line)| line) != Some(HEADER) {
        return Err(BenchError::Csv { line: 1, reason: format!("it must be `{HEADER}`") });
    }
    let row = |(index, line)| parse_row(line).map_err(|reason| BenchError::Csv { line: index + 1, reason });
    lines.map(row).collect()
}

fn parse_row(line: &str) -> Result<Row, String> {
    let [what, n, family, variant, median, min, max, _, ratio, runs, check, adapter, device, date] =
        <[String; 14]>::try_from(fields(line)).map_err(|f| format!("{} fields, not 14", f.len()))?;
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
    let check = [Check::Checked, Check::Wrong]
        .into_iter()
        .find(|known| known.name() == check)
        .ok_or_else(|| format!("`{check}` is neither `checked` nor `wrong`"))?;
    let (n, ratio_to_copy) = (count(&n)?, number(&ratio)?);
    Ok(Row { what, n, family, variant, seconds, ratio_to_copy, check, adapter, device, date })
}

/// A text as a field, in quotes if it contains a comma or a quote.
fn quoted(value: &str) -> String {
    if value.contains([',', '"']) { format!("\"{}\"", value.replace('"', "\"\"")) } else { value.to_owned() }
}

/// The fields of a line, without their quotes.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let field = fields.last_mut().expect("there is at least one field");
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
    fn rows_are_written_and_read() {
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
