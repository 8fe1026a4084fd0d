//! Rows as plots, like Figures 4 and 5 of Levien 2022: the rate over the size, both on logarithmic scales.
//!
//! Each plot has the algorithms of the device, one core of the CPU, and the bound that the bandwidth of the device sets, and says
//! from which size on the device is faster.

mod draw;
mod figure;
mod label;

use std::path::{Path, PathBuf};

use self::figure::{boxes, matches};
use crate::error::BenchError;
use crate::row::Row;

/// Draws every plot that `rows` have lines for into `folder`, as SVG, and gives the paths.
///
/// # Errors
///
/// A file that cannot be written.
pub fn plot(rows: &[Row], folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let mut paths = Vec::new();
    for (name, figure) in [("match", matches(rows)), ("boxes", boxes(rows))] {
        let Some(figure) = figure else { continue };
        let path = folder.join(name).with_extension("svg");
        draw::draw(&path, &figure).map_err(|e| BenchError::Plot(format!("{e}: {}", path.display())))?;
        paths.push(path);
    }
    Ok(paths)
}
