//! Plots of rates and of times.
//!
//! A plot of rates shows the algorithms on the device, one core of the CPU and all of them, the
//! specification, other projects, and the bound by the bandwidth of the device. It states the size
//! at which the device becomes faster than one core.

mod draw;
mod figure;
mod rates;
mod text;
mod times;

use crate::error::BenchError;
use crate::record::Row;

/// Draws each plot that `rows` have data for. Returns the names and contents of SVG files.
///
/// # Errors
///
/// [`BenchError::Plot`] if the plotting library fails.
pub fn plot(rows: &[Row]) -> Result<Vec<(&'static str, String)>, BenchError> {
    let mut plots = Vec::new();
    for (name, figure) in rates::figures(rows).chain(times::figures(rows)) {
        let mut svg = String::new();
        draw::draw(&mut svg, &figure).map_err(|error| BenchError::Plot(error.to_string()))?;
        plots.push((name, svg));
    }
    Ok(plots)
}
