//! Rows as plots, like Figures 4 and 5 of Levien 2022: the rate over the size, both on logarithmic scales.
//!
//! Each plot has the algorithms of the device, one core of the CPU, and the bound that the bandwidth of the device sets, and says
//! from which size on the device is faster.

mod draw;
mod figure;
mod label;

use self::figure::{boxes, matches};
use crate::error::BenchError;
use crate::row::Row;

/// Draws every plot that `rows` have lines for. Returns the file names and contents of SVG files.
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
