//! A sweep: measuring tasks over sizes and families.

mod boxes;
mod ceiling;
mod frames;
mod matchers;
mod options;
mod paths;
mod session;
mod spatial;
mod vello_clip;

use std::io::{self, Write};

use boxwood::native::Gpu;

pub use self::options::{Options, What};
use self::session::Session;
use crate::error::BenchError;
use crate::record::Row;
use boxwood_inputs::selected_families;

/// Measures the selected tasks. After each measurement, writes its row as a line of text to `out`,
/// and calls `save` with all rows so far, so that an interrupted sweep leaves its rows.
///
/// A wrong result is not an error: its row says so.
///
/// # Errors
///
/// [`BenchError`] if there is no device, if it is lost or has too little memory, if a family does
/// not exist, if no size is left, or if `out` or `save` fails.
pub fn sweep(
    options: &Options,
    out: &mut dyn Write,
    save: &mut dyn FnMut(&[Row]) -> io::Result<()>,
) -> Result<Vec<Row>, BenchError> {
    let gpu = Gpu::open_with_features(options.adapter.as_deref(), wgpu::Features::TIMESTAMP_QUERY)?;
    selected_families(&options.family)?;
    if options.min > options.max {
        return Err(BenchError::NoSize { min: options.min, max: options.max });
    }
    let mut session = Session::new(&gpu, options, out, save)?;
    // The copy bounds the other rates, so it comes first and is always measured.
    ceiling::measure_copy(&mut session)?;
    let tasks: [(&[What], Measure); 7] = [
        (&[What::Empty], ceiling::measure_empty),
        (&[What::Vello, What::ClipStage], vello_clip::measure),
        (&[What::Frames], frames::measure),
        (&[What::Paths], paths::measure),
        (&What::SPATIAL, spatial::measure),
        (&[What::Boxes, What::Families], boxes::measure),
        (&[What::Match, What::Families], matchers::measure),
    ];
    for (whats, measure) in tasks {
        if whats.iter().any(|&what| options.has(what)) {
            measure(&mut session)?;
        }
    }
    Ok(session.rows)
}

type Measure = fn(&mut Session<'_>) -> Result<(), BenchError>;
