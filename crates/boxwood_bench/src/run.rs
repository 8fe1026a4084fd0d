//! The whole sweep.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::SystemTime;

use boxwood::Gpu;

use crate::error::BenchError;
use crate::options::{Options, What};
use crate::row::{Check, Row, Seconds, write_csv};
use crate::timer::Timer;
use crate::{Family, boxes, ceiling, families, matchers, vello};

/// What one sweep shares.
pub(crate) struct Session<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) timer: Timer<'a>,
    pub(crate) options: &'a Options,
    /// What the copy moves a second, reads and writes counted.
    pub(crate) copy_bytes_per_second: Option<f64>,
    adapter: String,
    date: String,
    on_row: &'a mut dyn FnMut(&Row),
}

/// A measurement before it is put into its row.
pub(crate) struct Measured<'a> {
    pub(crate) what: &'a str,
    pub(crate) n: usize,
    pub(crate) family: &'a str,
    pub(crate) variant: &'a str,
    pub(crate) seconds: Option<Seconds>,
    /// How many bytes the bound moves for each of `n`; none where there is no bound.
    pub(crate) bytes_each: Option<f64>,
    pub(crate) is_right: bool,
}

/// Measures what `options` say, with a line for people in `out` for each measurement, and the rows as CSV in the file at `csv`,
/// those before an error as well.
///
/// # Errors
///
/// As [`run`], or a file that cannot be written.
pub fn sweep(options: &Options, out: &mut dyn Write, csv: Option<&Path>) -> Result<Vec<Row>, BenchError> {
    let mut rows = Vec::new();
    let mut written = Ok(());
    let done = run(options, &mut |row| {
        if written.is_ok() {
            written = writeln!(out, "{row}").and_then(|()| out.flush());
        }
        rows.push(row.clone());
    });
    if let Some(path) = csv {
        let write = || write_csv(&mut BufWriter::new(File::create(path)?), &rows);
        write().map_err(|source| BenchError::File { source, path: path.display().to_string() })?;
    }
    written.map_err(|source| BenchError::File { source, path: "the output".to_owned() })?;
    done?;
    Ok(rows)
}

/// Measures what `options` say and hands each row to `on_row` as soon as it is there.
///
/// # Errors
///
/// No device, one that is lost or has too little memory, or a family that there is not. A wrong answer is no error: its row
/// says so.
pub fn run(options: &Options, on_row: &mut dyn FnMut(&Row)) -> Result<(), BenchError> {
    let gpu = Gpu::open_with_features(options.adapter.as_deref(), wgpu::Features::TIMESTAMP_QUERY)?;
    let mut session = Session {
        gpu: &gpu,
        timer: Timer::new(&gpu, options.n_runs()),
        options,
        copy_bytes_per_second: None,
        adapter: gpu.adapter.get_info().name,
        date: today(),
        on_row,
    };
    session.chosen_families()?;
    ceiling::measure_copy(&mut session)?;
    if options.has(What::Empty) {
        ceiling::measure_empty(&mut session)?;
    }
    if options.has(What::Vello) {
        vello::measure(&mut session)?;
    }
    if options.has(What::Boxes) {
        boxes::measure(&mut session)?;
    }
    if options.has(What::Match) {
        matchers::measure(&mut session)?;
    }
    Ok(())
}

impl Session<'_> {
    pub(crate) fn add(&mut self, measured: &Measured<'_>) {
        let mut row = Row {
            what: measured.what.to_owned(),
            n: measured.n,
            family: measured.family.to_owned(),
            variant: measured.variant.to_owned(),
            seconds: measured.seconds,
            ratio_to_copy: None,
            check: Check::of(measured.is_right),
            adapter: self.adapter.clone(),
            date: self.date.clone(),
        };
        let bound = measured.bytes_each.zip(self.copy_bytes_per_second).map(|(each, rate)| rate / each);
        row.ratio_to_copy = row.per_second().zip(bound).map(|(rate, bound)| rate / bound);
        (self.on_row)(&row);
    }

    /// The families to run at a size: the chosen ones, or the `main` ones, or all where that is due.
    pub(crate) fn families_at(
        &self,
        k: u32,
        main: &[&str],
        all_at: &[u32],
    ) -> Result<Vec<Family>, BenchError> {
        let mut found = self.chosen_families()?;
        if found.is_empty() {
            found =
                families().into_iter().filter(|f| main.contains(&f.name) || all_at.contains(&k)).collect();
        }
        Ok(found)
    }

    fn chosen_families(&self) -> Result<Vec<Family>, BenchError> {
        let find = |name: &String| {
            families().into_iter().find(|family| family.name == name).ok_or_else(|| {
                BenchError::NoSuchFamily {
                    name: name.clone(),
                    known: families()
                        .iter()
                        .map(|f| format!("\"{}\"", f.name))
                        .collect::<Vec<_>>()
                        .join(", "),
                }
            })
        };
        self.options.family.iter().map(find).collect()
    }
}

/// The day of the world's clock, by the algorithm `civil_from_days` of Hinnant.
fn today() -> String {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let days = since_1970.as_secs() / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
