//! A sweep: measuring tasks over sizes and families.

mod boxes;
mod ceiling;
mod families;
mod frames;
mod json;
mod matchers;
mod options;
mod paths;
mod session;
mod spatial;
mod vello_clip;

use std::io::{self, Write};

use boxwood::native::Gpu;

use self::families::Families;
pub use self::json::json_text;
pub use self::options::{Options, What};
use self::session::Session;
use crate::error::BenchError;
use crate::record::Row;

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
    let families = Families::selected(&options.family)?;
    if options.min > options.max {
        return Err(BenchError::NoSize { min: options.min, max: options.max });
    }
    let mut session = Session::new(&gpu, options, families, out, save)?;
    // The copy bounds the other rates, so it comes first and is always measured.
    ceiling::measure_copy(&mut session)?;
    let tasks: [(&[What], Measure); 8] = [
        (&[What::Empty], ceiling::measure_empty),
        (&[What::Vello, What::ClipStage], vello_clip::measure),
        (&[What::Frames], frames::measure),
        (&[What::Paths], paths::measure),
        (&What::SPATIAL, spatial::measure),
        (&[What::Boxes, What::Families], boxes::measure),
        (&[What::Match, What::Families], matchers::measure),
        (&[What::Json], json::measure),
    ];
    for (whats, measure) in tasks {
        if whats.iter().any(|&what| options.has(what)) {
            measure(&mut session)?;
        }
    }
    Ok(session.rows)
}

type Measure = fn(&mut Session<'_>) -> Result<(), BenchError>;
