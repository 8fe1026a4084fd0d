//! The whole sweep.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use boxwood::native::Gpu;

use crate::error::BenchError;
use crate::options::{Options, What};
use crate::row::{Row, write_csv, write_csv_row};
use crate::session::Session;
use crate::{boxes, ceiling, clip_stage, frames, matchers, paths, vello};

/// Measures what `options` say. Each measurement is written as soon as it is there, as a line for people in `out` and as CSV in the
/// file at `csv`: a sweep that is broken off leaves what it has measured.
///
/// # Errors
///
/// As [`run`], or a file that cannot be written.
pub fn sweep(options: &Options, out: &mut dyn Write, csv: Option<&Path>) -> Result<Vec<Row>, BenchError> {
    let in_file = |source, path: &Path| BenchError::File { source, path: path.display().to_string() };
    let mut file = match csv {
        Some(path) => {
            let mut file = File::create(path).map_err(|source| in_file(source, path))?;
            write_csv(&mut file, &[]).map_err(|source| in_file(source, path))?;
            Some((file, path))
        }
        None => None,
    };
    let mut rows = Vec::new();
    let mut written = Ok(());
    let done = run(options, &mut |row| {
        if written.is_ok() {
            written = writeln!(out, "{row}").and_then(|()| out.flush()).map_err(BenchError::Output);
        }
        if let (Ok(()), Some((file, path))) = (&written, &mut file) {
            written = write_csv_row(file, row).map_err(|source| in_file(source, path));
        }
        rows.push(row.clone());
    });
    written?;
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
    if options.has(What::ClipStage) {
        clip_stage::measure(&mut session)?;
    }
    if options.has(What::Frames) {
        frames::measure(&mut session)?;
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
