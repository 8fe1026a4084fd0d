//! The whole sweep.

use std::io::{self, Write};

use boxwood::native::Gpu;

use crate::error::BenchError;
use crate::options::{Options, What};
use crate::row::Row;
use crate::session::Session;
use crate::{boxes, ceiling, clip_stage, frames, matchers, paths, vello};

/// Measures everything that the options select. After each measurement, writes it to `out` as a line for people, and calls `save`
/// with all rows so far, so that they are not lost if the sweep is stopped.
///
/// # Errors
///
/// The errors of [`run`], and of `out` and `save`.
pub fn sweep(
    options: &Options,
    out: &mut dyn Write,
    save: &mut dyn FnMut(&[Row]) -> io::Result<()>,
) -> Result<Vec<Row>, BenchError> {
    let mut rows = Vec::new();
    let mut written = Ok(());
    let done = run(options, &mut |row| {
        rows.push(row.clone());
        if written.is_ok() {
            written = writeln!(out, "{row}").and_then(|()| out.flush()).and_then(|()| save(&rows));
        }
    });
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
