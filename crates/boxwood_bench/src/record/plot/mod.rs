//! Plots of rates over sizes, in the form of figures 4 and 5 of Levien 2022. Both scales are
//! logarithmic.
//!
//! Each plot shows the algorithms on the device, one core of the CPU, and the bound by the
//! bandwidth of the device. It states the size at which the device becomes faster than the core.

mod draw;
mod figure;

use self::figure::{boxes, matches};
use crate::error::BenchError;
use crate::record::Row;

/// Draws each plot that `rows` have data for. Returns the names and contents of SVG files.
///
/// # Errors
///
/// [`BenchError::Plot`] if the plotting library fails.
pub fn plot(rows: &[Row]) -> Result<Vec<(&'static str, String)>, BenchError> {
    let mut plots = Vec::new();
    for (name, figure) in [("match.svg", matches(rows)), ("boxes.svg", boxes(rows))] {
        let Some(figure) = figure else { continue };
        let mut svg = String::new();
        draw::draw(&mut svg, &figure).map_err(|error| BenchError::Plot(error.to_string()))?;
        plots.push((name, svg));
    }
    Ok(plots)
}
