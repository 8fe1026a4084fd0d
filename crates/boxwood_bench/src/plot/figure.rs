//! What is in a plot.

use crate::boxes::NODE_BYTES;
use crate::ceiling::COPY_BYTES;
use crate::row::Row;

/// A size and a rate at it.
pub(super) type Point = (f64, f64);

/// A plot.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) title: String,
    /// What is counted, as in "nodes".
    pub(super) unit: &'static str,
    /// In the order in which they are drawn.
    pub(super) lines: Vec<Line>,
}

/// A line of a plot.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) label: String,
    pub(super) role: Role,
    /// By size.
    pub(super) points: Vec<Point>,
}

/// What a line stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// What bounds every other: a copy of the bytes that must be moved at least.
    Bound,
    /// The sequential algorithm.
    Cpu,
    /// Someone else's algorithm.
    Other,
    /// One of Boxwood's, the first, second and so on.
    Own(usize),
}

/// What the lines of both figures are measured on.
const FAMILY: &str = "random walk, reflected";

/// The parentheses matching problem.
pub(super) fn matches(rows: &[Row]) -> Option<Figure> {
    figure(rows, &["match"], "Algorithm parentheses, a random walk", "entries", COPY_BYTES)
}

/// All boxes, beside Vello's own stage on scenes for which that is right.
pub(super) fn boxes(rows: &[Row]) -> Option<Figure> {
    figure(rows, &["boxes", "vello"], "Match, clip and union, a random walk", "nodes", NODE_BYTES)
}

fn figure(rows: &[Row], whats: &[&str], title: &str, unit: &'static str, bytes_each: f64) -> Option<Figure> {
    let mut lines: Vec<Line> = Vec::new();
    let mut n_own = 0;
    let is_of_figure =
        |row: &&Row| whats.contains(&row.what.as_str()) && (row.what == "vello" || row.family == FAMILY);
    for row in rows.iter().filter(is_of_figure) {
        let (label, is_own) = match (row.what.as_str(), row.variant.as_str()) {
            ("vello", _) => ("Vello's clip stage: no union, 16 deep".to_owned(), false),
            (_, "cpu") => ("one CPU core".to_owned(), false),
            (_, variant) => (variant.replace('_', " "), true),
        };
        let Some(rate) = row.per_second() else { continue };
        let point = (float(row.n), rate);
        if let Some(line) = lines.iter_mut().find(|line| line.label == label) {
            line.points.push(point);
            continue;
        }
        let role = match row.what.as_str() {
            "vello" => Role::Other,
            _ if is_own => {
                n_own += 1;
                Role::Own(n_own - 1)
            }
            _ => Role::Cpu,
        };
        lines.push(Line { label, role, points: vec![point] });
    }
    let is_line = |line: &Line| matches!(line.role, Role::Own(_)) && line.points.len() > 1;
    let adapter = &rows.iter().find(|row| row.what == whats[0])?.adapter;
    if !lines.iter().any(is_line) {
        return None;
    }
    let sizes = sorted(lines.iter().flat_map(|line| &line.points).map(|point| (point.0, 0.0)).collect());
    lines.extend(bound(rows, &sizes, bytes_each));
    for line in &mut lines {
        line.points = sorted(std::mem::take(&mut line.points));
    }
    lines.sort_by_key(|line| match line.role {
        Role::Bound => 0,
        Role::Cpu => 1,
        Role::Other => 2,
        Role::Own(index) => 3 + index,
    });
    Some(Figure { title: format!("{title}: {unit} a second, {adapter}"), unit, lines })
}

/// The rate at which a copy moves the bytes that so many need.
fn bound(rows: &[Row], sizes: &[Point], bytes_each: f64) -> Option<Line> {
    let time = |row: &Row| Some((float(row.n).ln(), row.seconds?.median.ln()));
    let copies: Vec<Point> = sorted(rows.iter().filter(|row| row.what == "copy").filter_map(time).collect());
    let rate = |n: f64| {
        let n_words = n * bytes_each / COPY_BYTES;
        Some((n, n / at(&copies, n_words.ln())?.exp()))
    };
    let points: Vec<Point> = sizes.iter().filter_map(|&(n, _)| rate(n)).collect();
    (points.len() > 1).then(|| Line {
        label: format!("copy of {bytes_each} bytes each"),
        role: Role::Bound,
        points,
    })
}

impl Figure {
    /// The size from which on the fastest of Boxwood's algorithms is faster than the sequential one; none where it never is at
    /// the end.
    pub(super) fn crossing(&self) -> Option<f64> {
        let advantage = self.advantage();
        let last_loss = advantage.iter().rposition(|&(_, times)| times < 1.0);
        let Some(index) = last_loss else { return advantage.first().map(|point| point.0) };
        let (&(n0, t0), &(n1, t1)) = (advantage.get(index)?, advantage.get(index + 1)?);
        // On both scales the lines between two measurements are straight.
        let part = t0.ln() / (t0.ln() - t1.ln());
        Some((n0.ln() + part * (n1.ln() - n0.ln())).exp())
    }

    /// At each size how many times as fast the fastest of Boxwood's algorithms is as the sequential one.
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

/// The value at `x` on the straight lines between points, and on the last of them beyond its end.
fn at(points: &[Point], x: f64) -> Option<f64> {
    let after = points.iter().position(|point| point.0 >= x).unwrap_or(points.len()).max(1);
    let after = after.min(points.len().checked_sub(1)?);
    let (&(x0, y0), &(x1, y1)) = (points.get(after.checked_sub(1)?)?, points.get(after)?);
    Some(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
}

fn sorted(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup_by_key(|point| point.0);
    points
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn float(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(cpu: &[Point], own: &[Point]) -> Figure {
        let line = |role, points: &[Point]| Line { label: String::new(), role, points: points.to_vec() };
        let lines = vec![line(Role::Cpu, cpu), line(Role::Own(0), own)];
        Figure { title: String::new(), unit: "nodes", lines }
    }

    #[test]
    fn lines_cross_where_both_are_straight() {
        let cpu = [(1.0, 4.0), (4.0, 4.0), (16.0, 4.0)];
        let close = |found: Option<f64>, expected: f64| found.is_some_and(|n| (n - expected).abs() < 1e-9);
        assert!(close(figure(&cpu, &[(1.0, 1.0), (4.0, 2.0), (16.0, 8.0)]).crossing(), 8.0));
        assert!(close(figure(&cpu, &[(1.0, 5.0), (4.0, 5.0), (16.0, 5.0)]).crossing(), 1.0));
        assert_eq!(figure(&cpu, &[(1.0, 5.0), (4.0, 5.0), (16.0, 3.0)]).crossing(), None);
        assert_eq!(figure(&cpu, &[(16.0, 8.0)]).advantage(), [(16.0, 2.0)]);
    }

    #[test]
    fn values_are_on_straight_lines() {
        let points = [(0.0, 0.0), (1.0, 2.0), (2.0, 3.0)];
        assert_eq!([0.5, 1.5, 3.0].map(|x| at(&points, x)), [Some(1.0), Some(2.5), Some(4.0)]);
        assert_eq!(at(&[], 1.0), None);
        assert_eq!(at(&[(1.0, 1.0)], 1.0), None);
    }
}
