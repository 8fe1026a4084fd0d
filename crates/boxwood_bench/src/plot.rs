//! Rows as plots, like Figures 4 and 5 of Levien 2022: the rate over the size, both on logarithmic scales.

use std::path::{Path, PathBuf};

use plotters::prelude::*;

use crate::error::BenchError;
use crate::row::Row;

/// Pixels of a plot, and of its legend at its right.
const WIDTH: u32 = 960;
const HEIGHT: u32 = 600;
const LEGEND_WIDTH: u32 = 250;
const LEGEND_TOP: i32 = 48;
const LEGEND_LINE: i32 = 18;

/// Lines of one plot.
type Series = Vec<(String, Vec<(f64, f64)>)>;

/// A plot: the name of its file, its title, and the label of the line that a row is on, if it is on one.
type Plot = (&'static str, &'static str, fn(&Row) -> Option<String>);

const PLOTS: [Plot; 3] = [
    ("match", "Matching parentheses, random walk: entries a second", |row| match row.what.as_str() {
        "copy" => Some("copy of as many words".to_owned()),
        "match" if row.family == "random walk, reflected" => Some(row.variant.clone()),
        _ => None,
    }),
    ("boxes", "Boxes of nodes alone, random walk: nodes a second", |row| {
        let is_of_all = row.what == "boxes" || row.variant == "hierarchical";
        (row.what.starts_with("boxes") && row.family == "random walk, reflected" && is_of_all)
            .then(|| format!("{}, {}", row.what, row.variant))
    }),
    ("vello", "Boxes of nodes alone, bounded depth, beside Vello's clip stage: nodes a second", |row| {
        (["boxes", "vello"].contains(&row.what.as_str()) && row.family == "bounded depth")
            .then(|| format!("{}, {}", row.what, row.variant))
    }),
];

/// Draws every plot that `rows` have lines for into `folder`, as SVG, and gives the paths.
///
/// # Errors
///
/// A file that cannot be written.
pub fn plot(rows: &[Row], folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let mut paths = Vec::new();
    for (name, title, label) in PLOTS {
        let series = series(rows, label);
        if series.iter().any(|(_, points)| points.len() > 1) {
            let path = folder.join(format!("{name}.svg"));
            draw(&path, title, &series).map_err(|e| BenchError::Plot(format!("{e}: {}", path.display())))?;
            paths.push(path);
        }
    }
    Ok(paths)
}

fn series(rows: &[Row], label: impl Fn(&Row) -> Option<String>) -> Series {
    let mut series = Series::new();
    for row in rows {
        let Some((label, rate)) = label(row).zip(row.per_second()) else { continue };
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let point = (row.n as f64, rate);
        match series.iter_mut().find(|(known, _)| *known == label) {
            Some((_, points)) => points.push(point),
            None => series.push((label, vec![point])),
        }
    }
    for (_, points) in &mut series {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    series
}

fn draw(path: &Path, title: &str, series: &Series) -> Result<(), Box<dyn std::error::Error>> {
    let points = || series.iter().flat_map(|(_, points)| points.iter().copied());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::MAX, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)))
    };
    let (n_low, n_high) = range(&mut points().map(|p| p.0));
    let (rate_low, rate_high) = range(&mut points().map(|p| p.1));

    let area = SVGBackend::new(path, (WIDTH, HEIGHT)).into_drawing_area();
    area.fill(&WHITE)?;
    let (area, legend) = area.split_horizontally(WIDTH - LEGEND_WIDTH);
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(
            (n_low..n_high * 1.01).log_scale().base(2.0),
            (rate_low / 2.0..rate_high * 2.0).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("n")
        .x_labels(18)
        .y_labels(8)
        .x_label_formatter(&|n| format!("2^{:.0}", n.log2()))
        .y_label_formatter(&|rate| engineering(*rate))
        .light_line_style(BLACK.mix(0.06))
        .bold_line_style(BLACK.mix(0.12))
        .draw()?;
    for (index, (label, points)) in series.iter().enumerate() {
        let line = Palette99::pick(index).stroke_width(2);
        chart.draw_series(LineSeries::new(points.iter().copied(), line).point_size(2))?;
        let y = LEGEND_TOP + LEGEND_LINE * i32::try_from(index)?;
        legend.draw(&PathElement::new([(0, y), (18, y)], line))?;
        legend.draw(&Text::new(label.as_str(), (24, y - 6), ("sans-serif", 12)))?;
    }
    area.present()?;
    Ok(())
}

/// A rate with a unit of a thousand's power.
fn engineering(rate: f64) -> String {
    let units = [(1e12, "T/s"), (1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s")];
    let found = units.into_iter().find(|(size, _)| rate >= *size);
    found.map_or_else(|| format!("{rate:.0}/s"), |(size, unit)| format!("{} {unit}", rate / size))
}
