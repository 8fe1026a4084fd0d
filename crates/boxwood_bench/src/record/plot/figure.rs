//! The parts of a plot.

use std::ops::Range;

/// A point of a line: usually a size, and the rate or the time at that size.
pub(super) type Point = (f64, f64);

/// A plot.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) title: String,
    /// A sentence below the title, or nothing.
    pub(super) summary: String,
    pub(super) x: PlotAxis,
    pub(super) y: PlotAxis,
    /// The value of x at which the fastest of Boxwood's algorithms becomes faster than one core of
    /// the CPU.
    pub(super) crossing: Option<f64>,
    /// The lines, in the order in which they are drawn.
    pub(super) lines: Vec<PlotLine>,
}

/// An axis of a plot.
#[derive(Debug)]
pub(super) struct PlotAxis {
    pub(super) name: String,
    pub(super) scale: Scale,
    pub(super) range: Range<f64>,
    /// A value as text.
    pub(super) format: fn(f64) -> String,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    Logarithmic,
}

/// A line of a plot.
#[derive(Debug)]
pub(super) struct PlotLine {
    pub(super) label: String,
    pub(super) role: Role,
    /// The points, sorted by x.
    pub(super) points: Vec<Point>,
}

/// The meaning of a line. Lines are drawn in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// The bound on all others: a copy of the bytes that must be moved at least.
    Bound,
    /// The specification, on one core of the CPU.
    Specification,
    /// The fast algorithm on one core of the CPU.
    Cpu,
    /// The same on all cores.
    AllCores,
    /// An algorithm of another project, with its index.
    Other(usize),
    /// An algorithm of Boxwood, with its index.
    Own(usize),
}

/// The source of a line, without its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Bound,
    Specification,
    Cpu,
    AllCores,
    Other,
    Own,
}

/// Adds a point to the line with this label, or begins such a line.
pub(super) fn add(lines: &mut Vec<PlotLine>, label: &str, source: Source, point: Point) {
    if let Some(line) = lines.iter_mut().find(|line| line.label == label) {
        return line.points.push(point);
    }
    let role = match source {
        Source::Bound => Role::Bound,
        Source::Specification => Role::Specification,
        Source::Cpu => Role::Cpu,
        Source::AllCores => Role::AllCores,
        Source::Other => Role::Other(lines.iter().filter(|l| matches!(l.role, Role::Other(_))).count()),
        Source::Own => Role::Own(lines.iter().filter(|l| matches!(l.role, Role::Own(_))).count()),
    };
    lines.push(PlotLine { label: label.to_owned(), role, points: vec![point] });
}

/// Sorts the lines by their roles, and their points by x. Of points with the same x, the first one
/// remains.
pub(super) fn sort(lines: &mut [PlotLine]) {
    for line in &mut *lines {
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        line.points.dedup_by_key(|point| point.0);
    }
    lines.sort_by_key(|line| line.role);
}

/// The range of positive values.
pub(super) fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    values.fold(f64::MAX..0.0, |range, value| range.start.min(value)..range.end.max(value))
}
