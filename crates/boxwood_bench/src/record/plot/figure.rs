//! The lines of a plot.

use std::ops::Range;

use crate::record::{COPY_BYTES, MAIN_FAMILY, NODE_BYTES, Row, float};

/// A size and the rate at that size.
pub(super) type Point = (f64, f64);

/// A plot.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) title: String,
    /// The noun for the size, such as "nodes".
    pub(super) unit: &'static str,
    /// The range of the measured sizes.
    pub(super) sizes: Range<f64>,
    /// The lines, in the order in which they are drawn.
    pub(super) lines: Vec<Line>,
}

/// A line of a plot.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) label: String,
    pub(super) role: Role,
    /// The points, sorted by size.
    pub(super) points: Vec<Point>,
}

/// The meaning of a line. Lines are drawn in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// The bound on all others: a copy of the bytes that must be moved at least.
    Bound,
    /// The sequential algorithm.
    Cpu,
    /// An algorithm of another project.
    Other,
    /// An algorithm of Boxwood, with its index.
    Own(usize),
}

/// Parenthesis matching.
pub(super) fn matches(rows: &[Row]) -> Option<Figure> {
    figure(rows, &["match"], "Parenthesis matching, a random walk", "entries", COPY_BYTES)
}

/// All boxes, and Vello's own stage on scenes within its limits.
pub(super) fn boxes(rows: &[Row]) -> Option<Figure> {
    figure(rows, &["boxes", "vello"], "All boxes, a random walk", "nodes", NODE_BYTES)
}

fn figure(rows: &[Row], whats: &[&str], title: &str, unit: &'static str, bytes_each: f64) -> Option<Figure> {
    let mut lines: Vec<Line> = Vec::new();
    let n_own = |lines: &[Line]| lines.iter().filter(|line| matches!(line.role, Role::Own(_))).count();
    for row in rows {
        let Some(seconds) = row.median_s else { continue };
        let (label, role) = match (row.what.as_str(), row.variant.as_str()) {
            ("copy", _) => (format!("copy of {bytes_each} bytes each"), Role::Bound),
            (what, _) if !whats.contains(&what) => continue,
            ("vello", _) => ("Vello's clip stage: no union, 16 deep".to_owned(), Role::Other),
            _ if row.family != MAIN_FAMILY => continue,
            (_, "cpu") => ("one CPU core".to_owned(), Role::Cpu),
            (_, variant) => (variant.replace('_', " "), Role::Own(n_own(&lines))),
        };
        // For the bound, the size of the inputs that move as many bytes as the copy.
        let n = float(row.n) * if role == Role::Bound { COPY_BYTES / bytes_each } else { 1.0 };
        let point = (n, n / seconds);
        match lines.iter_mut().find(|line| line.label == label) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { label, role, points: vec![point] }),
        }
    }
    let adapter = &rows.iter().find(|row| row.what == whats[0])?.adapter;
    if !lines.iter().any(|line| matches!(line.role, Role::Own(_)) && line.points.len() > 1) {
        return None;
    }
    let measured = lines.iter().filter(|line| line.role != Role::Bound).flat_map(|line| &line.points);
    let sizes = range(measured.map(|point| point.0));
    for line in &mut lines {
        line.points.retain(|&(n, _)| sizes.start <= n && n <= sizes.end);
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        line.points.dedup_by_key(|point| point.0);
    }
    lines.retain(|line| line.role != Role::Bound || line.points.len() > 1);
    lines.sort_by_key(|line| line.role);
    Some(Figure { title: format!("{title}: {unit} a second, {adapter}"), unit, sizes, lines })
}

/// The range of positive values.
pub(super) fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    values.fold(f64::MAX..0.0, |range, value| range.start.min(value)..range.end.max(value))
}

impl Figure {
    /// The size at which the fastest of Boxwood's algorithms becomes faster than the sequential
    /// one, or `None` if it is slower at the largest size.
    pub(super) fn crossing(&self) -> Option<f64> {
        let advantage = self.advantage();
        let last_loss = advantage.iter().rposition(|&(_, times)| times < 1.0);
        let Some(index) = last_loss else { return advantage.first().map(|point| point.0) };
        let (&(n0, t0), &(n1, t1)) = (advantage.get(index)?, advantage.get(index + 1)?);
        // Both scales are logarithmic, and lines are straight on them.
        let part = t0.ln() / (t0.ln() - t1.ln());
        Some((n0.ln() + part * (n1.ln() - n0.ln())).exp())
    }

    /// For each size, the speed of the fastest of Boxwood's algorithms relative to the sequential
    /// one.
    pub(super) fn advantage(&self) -> Vec<Point> {
        let Some(cpu) = self.lines.iter().find(|line| line.role == Role::Cpu) else { return Vec::new() };
        let own = || self.lines.iter().filter(|line| matches!(line.role, Role::Own(_)));
        let best = |n: f64| {
            let rates = own().flat_map(|line| &line.points).filter(|point| point.0 == n).map(|point| point.1);
            rates.max_by(f64::total_cmp)
        };
        cpu.points.iter().filter_map(|&(n, rate)| Some((n, best(n)? / rate))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(cpu: &[Point], own: &[Point]) -> Figure {
        let line = |role, points: &[Point]| Line { label: String::new(), role, points: points.to_vec() };
        let lines = vec![line(Role::Cpu, cpu), line(Role::Own(0), own)];
        Figure { title: String::new(), unit: "nodes", sizes: 1.0..16.0, lines }
    }

    #[test]
    fn lines_cross_between_measurements() {
        let cpu = [(1.0, 4.0), (4.0, 4.0), (16.0, 4.0)];
        let close = |found: Option<f64>, expected: f64| found.is_some_and(|n| (n - expected).abs() < 1e-9);
        assert!(close(figure(&cpu, &[(1.0, 1.0), (4.0, 2.0), (16.0, 8.0)]).crossing(), 8.0));
        assert!(close(figure(&cpu, &[(1.0, 5.0), (4.0, 5.0), (16.0, 5.0)]).crossing(), 1.0));
        assert_eq!(figure(&cpu, &[(1.0, 5.0), (4.0, 5.0), (16.0, 3.0)]).crossing(), None);
        assert_eq!(figure(&cpu, &[(16.0, 8.0)]).advantage(), [(16.0, 2.0)]);
    }
}
