//! Plots of times: the figures of Roger, Assarsson, Holzschuch 2007 on stream reduction, and frames
//! of cards.

use super::figure::{Figure, PlotAxis, PlotLine, Scale, Source, add, range, sort};
use super::text::{count, percent, rounded, time};
use crate::record::{Row, float};

/// Every plot that `rows` have data for, with its name.
pub(super) fn figures(rows: &[Row]) -> impl Iterator<Item = (&'static str, Figure)> {
    let plots = [
        ("stream_reduction_size.svg", over_size(rows)),
        ("stream_reduction_block.svg", over_block_length(rows)),
        ("stream_reduction_fill.svg", over_fill_ratio(rows)),
        ("stream_reduction_horn.svg", against_others(rows)),
        ("cards.svg", cards(rows)),
    ];
    plots.into_iter().filter_map(|(name, figure)| Some((name, figure?)))
}

/// The family in which half of the items are kept, and the blocks have the default length.
const HALF: &str = "50 %";

/// The time of every form of the method over the number of items.
fn over_size(rows: &[Row]) -> Option<Figure> {
    let of = |row: &Row| of_reduction(row).filter(|(_, source)| row.family == HALF && *source == Source::Own);
    let lines = lines(rows, |row| of(row).map(|(label, source)| (label, source, float(row.n))));
    let title = "Stream reduction of 2007, half of the items kept";
    figure(rows, "stream_reduction", title, lines, sizes("items"), Scale::Logarithmic)
}

/// The time of every form of the method over the length of a block.
fn over_block_length(rows: &[Row]) -> Option<Figure> {
    let lines = lines(rows, |row| {
        let length = row.family.strip_prefix("50 %, blocks of ")?.parse().ok()?;
        of_reduction(row).map(|(label, source)| (label, source, length))
    });
    let title = "Stream reduction of 2007, by the length of a block";
    figure(rows, "stream_reduction", title, lines, sizes("items of a block"), Scale::Linear)
}

/// The time of every method over the share of the items that are kept.
fn over_fill_ratio(rows: &[Row]) -> Option<Figure> {
    let ratio = |row: &Row| row.family.strip_suffix(" %")?.parse::<f64>().ok();
    // Only one size has other shares than a half.
    let is_varied =
        |row: &&Row| row.what == "stream_reduction" && ratio(row).is_some_and(|ratio| ratio != 50.0);
    let n = rows.iter().find(is_varied)?.n;
    let lines = lines(rows, |row| {
        let ratio = ratio(row).filter(|_| row.n == n)?;
        of_reduction(row).map(|(label, source)| (label, source, ratio))
    });
    let title = format!("Stream reduction of {} items, by the share of the kept ones", count(float(n)));
    let x =
        PlotAxis { name: "kept items".to_owned(), scale: Scale::Linear, range: 0.0..100.0, format: percent };
    figure(rows, "stream_reduction", &title, lines, x, Scale::Linear)
}

/// The time of the methods with the improved search over the number of items, compared with Horn's
/// method and with selections by prefix sums and scattered writes.
fn against_others(rows: &[Row]) -> Option<Figure> {
    let lines = lines(rows, |row| {
        let (label, source) = match (row.what.as_str(), row.family.as_str(), row.variant.as_str()) {
            ("stream_reduction", HALF, "halving_scatter") => return None,
            ("stream_reduction", HALF, _) => of_reduction(row)?,
            ("select", "mask", "scatter") => ("select, scatter".to_owned(), Source::Own),
            ("select", "mask", "cub") => ("CUB Select::Flagged".to_owned(), Source::Other),
            _ => return None,
        };
        Some((label, source, float(row.n)))
    });
    let title = "Stream reduction, half of the items kept, by several methods";
    figure(rows, "stream_reduction", title, lines, sizes("items"), Scale::Logarithmic)
}

/// The label and the source of a row of stream reduction.
fn of_reduction(row: &Row) -> Option<(String, Source)> {
    let label = match row.variant.as_str() {
        "horn" => ("Horn's method".to_owned(), Source::Other),
        variant => (variant.replace('_', ", "), Source::Own),
    };
    (row.what == "stream_reduction").then_some(label)
}

/// The time of a frame over the number of cards, and the frame of the most cards relative to that
/// of the fewest.
fn cards(rows: &[Row]) -> Option<Figure> {
    let lines = lines(rows, |row| {
        let is_card = row.what == "frame" && row.family == "opaque cards";
        let source = if row.variant == "vello" { Source::Other } else { Source::Own };
        is_card.then(|| (row.variant.clone(), source, float(row.n)))
    });
    let title = "Frames of opaque cards of the whole picture on top of each other";
    let mut figure = figure(rows, "frame", title, lines, sizes("cards"), Scale::Logarithmic)?;
    let n_most = figure.x.range.end;
    let relative = |line: &PlotLine| {
        let (first, last) = (line.points.first()?, line.points.last()?);
        Some(format!("{} times ({})", rounded(last.1 / first.1), line.label))
    };
    let relative: Vec<String> = figure.lines.iter().filter_map(relative).collect();
    figure.summary = format!("{n_most} cards relative to one: {}", relative.join(", "));
    Some(figure)
}

/// The lines of the rows that `of` gives a label, a source, and a value of x.
fn lines(rows: &[Row], of: impl Fn(&Row) -> Option<(String, Source, f64)>) -> Vec<PlotLine> {
    let mut lines = Vec::new();
    for row in rows {
        if let (Some(seconds), Some((label, source, x))) = (row.median_s, of(row)) {
            add(&mut lines, &label, source, (x, seconds));
        }
    }
    sort(&mut lines);
    lines
}

/// A logarithmic axis of sizes, without its range.
fn sizes(name: &str) -> PlotAxis {
    PlotAxis { name: name.to_owned(), scale: Scale::Logarithmic, range: 0.0..0.0, format: count }
}

/// A plot of times, if a line has two points. `what` gives it the adapter.
fn figure(
    rows: &[Row],
    what: &str,
    title: &str,
    lines: Vec<PlotLine>,
    x: PlotAxis,
    y_scale: Scale,
) -> Option<Figure> {
    if !lines.iter().any(|line| line.points.len() > 1) {
        return None;
    }
    let adapter = &rows.iter().find(|row| row.what == what)?.adapter;
    let points = || lines.iter().flat_map(|line| &line.points);
    let measured = range(points().map(|point| point.0));
    let times = range(points().map(|point| point.1));
    let y_range = match y_scale {
        Scale::Linear => 0.0..1.1 * times.end,
        Scale::Logarithmic => times.start / 2.0..times.end * 2.0,
    };
    Some(Figure {
        title: format!("{title}, {adapter}"),
        summary: String::new(),
        x: PlotAxis { range: if x.scale == Scale::Linear { x.range } else { measured }, ..x },
        y: PlotAxis { name: "time".to_owned(), scale: y_scale, range: y_range, format: time },
        crossing: None,
        lines,
    })
}
