//! The whole sweep.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use boxwood::Gpu;

use crate::error::BenchError;
use crate::options::{Options, What};
use crate::row::{Row, write_csv};
use crate::session::Session;
use crate::{boxes, ceiling, matchers, paths, vello};

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
    written.map_err(BenchError::Output)?;
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
    let mut session = Session::new(&gpu, options, on_row);
    session.chosen_families()?;
    if options.min > options.max {
        return Err(BenchError::NoSize { min: options.min, max: options.max });
    }
    ceiling::measure_copy(&mut session)?;
    if options.has(What::Empty) {
        ceiling::measure_empty(&mut session)?;
    }
    if options.has(What::Vello) {
        vello::measure(&mut session)?;
    }
    paths::measure(&mut session)?;
    if options.has(What::Boxes) || options.has(What::Families) {
        boxes::measure(&mut session)?;
    }
    if options.has(What::Match) || options.has(What::Families) {
        matchers::measure(&mut session)?;
    }
    Ok(())
}
