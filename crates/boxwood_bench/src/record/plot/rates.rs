//! Plots of rates over sizes, in the form of figures 4 and 5 of Levien 2022.

use super::figure::{Figure, PlotAxis, PlotLine, Point, Role, Scale, Source, add, range, sort};
use super::text::{count, engineering, rounded};
use crate::record::{
    ALL_CORES, COPY_BYTES, ENTRY_BYTES, MAIN_FAMILY, ONE_CORE, Row, SPECIFICATION, float, is_on_cpu,
};

/// What a plot shows.
struct Rates {
    /// The first task gives the plot its adapter.
    whats: &'static [&'static str],
    title: &'static str,
    /// The noun for the size, such as "entries".
    unit: &'static str,
    /// The bytes that the bound moves for each of them, if there is a bound.
    bytes_each: Option<f64>,
    /// The label and the source of a row of these tasks, if the plot shows it.
    label: fn(&Row) -> Option<(String, Source)>,
}

/// Every plot that `rows` have data for, with its name.
pub(super) fn figures(rows: &[Row]) -> impl Iterator<Item = (&'static str, Figure)> {
    let plots = [
        (
            "match.svg",
            Rates {
                whats: &["match"],
                title: "Parenthesis matching, a random walk",
                unit: "entries",
                bytes_each: Some(COPY_BYTES),
                label: |row| of_family(row, MAIN_FAMILY),
            },
        ),
        (
            "boxes.svg",
            Rates {
                whats: &["boxes", "boxes.with_compact", "vello"],
                title: "All boxes with compaction, a random walk",
                unit: "entries",
                bytes_each: Some(ENTRY_BYTES),
                label: |row| match row.what.as_str() {
                    "vello" => Some(("Vello's clip stage: no union, 16 deep".to_owned(), Source::Other)),
                    // The CPU computes the node stream and the ranks too, so it is compared with
                    // stages that do.
                    "boxes" if !is_on_cpu(&row.variant) => None,
                    _ => of_family(row, MAIN_FAMILY),
                },
            },
        ),
        (
            "sort.svg",
            Rates {
                whats: &["sort"],
                title: "Stable sorting of pairs by 32 bits",
                unit: "pairs",
                bytes_each: None,
                label: |row| of_family(row, "32 bits"),
            },
        ),
        (
            "select.svg",
            Rates {
                whats: &["select"],
                title: "Selection of half of the items by a mask",
                unit: "items",
                bytes_each: None,
                label: |row| of_family(row, "mask"),
            },
        ),
        (
            "index.svg",
            Rates {
                whats: &["index, hilbert", "index"],
                title: "Building a tree over small boxes",
                unit: "boxes",
                bytes_each: None,
                label: |row| {
                    let is_build = !["refit", "binary tree"].contains(&row.variant.as_str());
                    of_family(row, "small boxes").filter(|_| is_build)
                },
            },
        ),
        (
            "query.svg",
            Rates {
                whats: &["query"],
                title: "The top-most of as many small boxes as points",
                unit: "points",
                bytes_each: None,
                label: |row| {
                    let (label, source) = of_family(row, "small boxes")?;
                    let tree = label.strip_prefix("top-most, ")?.to_owned();
                    Some((tree, source))
                },
            },
        ),
    ];
    plots.into_iter().filter_map(|(name, rates)| Some((name, rates.figure(rows)?)))
}

/// The label and the source of a row of a family.
fn of_family(row: &Row, family: &str) -> Option<(String, Source)> {
    // The names that rows of other projects have in their variant.
    const OTHERS: [&str; 6] =
        ["cub", "lampshade", "sort_unstable_by_key", "packed_spatial_index", "static_aabb2d_index", "rstar"];
    let variant = row.variant.as_str();
    let label = match variant {
        ONE_CORE => ("one CPU core".to_owned(), Source::Cpu),
        ALL_CORES => ("all CPU cores".to_owned(), Source::AllCores),
        SPECIFICATION => ("specification (CPU)".to_owned(), Source::Specification),
        _ if OTHERS.iter().any(|name| variant.contains(name)) => (variant.to_owned(), Source::Other),
        _ => (variant.replace('_', " "), Source::Own),
    };
    (row.family == family).then_some(label)
}

impl Rates {
    /// The plot, if an algorithm was measured at two sizes.
    fn figure(&self, rows: &[Row]) -> Option<Figure> {
        let Self { whats, title, unit, bytes_each, label } = self;
        let mut lines: Vec<PlotLine> = Vec::new();
        for row in rows {
            let Some(seconds) = row.median_s else { continue };
            if let ("copy", Some(bytes_each)) = (row.what.as_str(), bytes_each) {
                // The size of the inputs that move as many bytes as the copy.
                let n = float(row.n) * COPY_BYTES / bytes_each;
                let label = format!("copy of {bytes_each} bytes each");
                add(&mut lines, &label, Source::Bound, (n, n / seconds));
            } else if let Some((label, source)) = label(row).filter(|_| whats.contains(&row.what.as_str())) {
                add(&mut lines, &label, source, (float(row.n), float(row.n) / seconds));
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
        }
        sort(&mut lines);
        lines.retain(|line| line.role != Role::Bound || line.points.len() > 1);
        let rates = range(lines.iter().flat_map(|line| &line.points).map(|point| point.1));
        Some(Figure {
            title: format!("{title}: {unit} a second, {adapter}"),
            summary: summary(&lines, unit),
            x: PlotAxis { name: (*unit).to_owned(), scale: Scale::Logarithmic, range: sizes, format: count },
            y: PlotAxis {
                name: format!("{unit} a second"),
                scale: Scale::Logarithmic,
                range: rates.start / 3.0..rates.end * 2.0,
                format: engineering,
            },
            crossing: crossing(&lines),
            lines,
        })
    }
}

/// A sentence with the size at which the device becomes faster than one core, and the advantage. It
/// is empty if no core was measured. The specification is not made for speed, so it is not
/// compared.
fn summary(lines: &[PlotLine], unit: &str) -> String {
    let advantage = advantage(lines);
    let Some(&(n, times)) = advantage.last() else { return String::new() };
    let Some(n_cross) = crossing(lines) else { return "the CPU is faster at every size".to_owned() };
    let from = match advantage.first() {
        Some(first) if first.0 < n_cross => format!("starting at about {} {unit}", rounded(n_cross)),
        _ => "at every size".to_owned(),
    };
    let middle = advantage.iter().find(|point| point.0 == 1_048_576.0 && point.0 < n);
    let at = |n, times| format!("{} times as fast at {}", rounded(times), count(n));
    let middle = middle.map_or(String::new(), |&(n, times)| format!("{}, ", at(n, times)));
    format!("the GPU is faster than one CPU core {from}: {middle}{}", at(n, times))
}

/// The size at which the fastest of Boxwood's algorithms becomes faster than one core, or `None` if
/// it is slower at the largest size.
fn crossing(lines: &[PlotLine]) -> Option<f64> {
    let advantage = advantage(lines);
    let last_loss = advantage.iter().rposition(|&(_, times)| times < 1.0);
    let Some(index) = last_loss else { return advantage.first().map(|point| point.0) };
    let (&(n0, t0), &(n1, t1)) = (advantage.get(index)?, advantage.get(index + 1)?);
    // Both scales are logarithmic, and lines are straight on them.
    let part = t0.ln() / (t0.ln() - t1.ln());
    Some((n0.ln() + part * (n1.ln() - n0.ln())).exp())
}

/// For each size, the speed of the fastest of Boxwood's algorithms relative to one core.
fn advantage(lines: &[PlotLine]) -> Vec<Point> {
    let Some(cpu) = lines.iter().find(|line| line.role == Role::Cpu) else { return Vec::new() };
    let own = || lines.iter().filter(|line| matches!(line.role, Role::Own(_)));
    let best = |n: f64| {
        let rates = own().flat_map(|line| &line.points).filter(|point| point.0 == n).map(|point| point.1);
        rates.max_by(f64::total_cmp)
    };
    cpu.points.iter().filter_map(|&(n, rate)| Some((n, best(n)? / rate))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(cpu: &[Point], own: &[Point]) -> [PlotLine; 2] {
        let line = |role, points: &[Point]| PlotLine { label: String::new(), role, points: points.to_vec() };
        [line(Role::Cpu, cpu), line(Role::Own(0), own)]
    }

    #[test]
    fn lines_cross_between_measurements() {
        let cpu = [(1.0, 4.0), (4.0, 4.0), (16.0, 4.0)];
        let close = |found: Option<f64>, expected: f64| found.is_some_and(|n| (n - expected).abs() < 1e-9);
        assert!(close(crossing(&lines(&cpu, &[(1.0, 1.0), (4.0, 2.0), (16.0, 8.0)])), 8.0));
        assert!(close(crossing(&lines(&cpu, &[(1.0, 5.0), (4.0, 5.0), (16.0, 5.0)])), 1.0));
        assert_eq!(crossing(&lines(&cpu, &[(1.0, 5.0), (4.0, 5.0), (16.0, 3.0)])), None);
        assert_eq!(advantage(&lines(&cpu, &[(16.0, 8.0)])), [(16.0, 2.0)]);
    }

    #[test]
    fn the_device_is_compared_with_one_core_and_not_with_the_specification() {
        let mut lines = lines(&[(1.0, 4.0), (4.0, 4.0)], &[(1.0, 8.0), (4.0, 8.0)]);
        let text = "the GPU is faster than one CPU core at every size: 2 times as fast at 4";
        assert_eq!(summary(&lines, "entries"), text);
        for role in [Role::Specification, Role::AllCores] {
            lines[0].role = role;
            assert_eq!((crossing(&lines), summary(&lines, "entries")), (None, String::new()));
        }
    }
}
