//! From measurements to the table by which the fastest algorithm is chosen.

use std::collections::BTreeMap;

use boxwood::Algorithm;
use boxwood::testing::{Task, Thresholds};
use boxwood::tree::Matcher;

use crate::row::{Check, Row};

/// What decides: a random walk has all depths, and no border of its own.
const FAMILY: &str = "random walk, reflected";

/// How much faster another algorithm must be to be worth a threshold: differences below come and go from run to run.
const HYSTERESIS: f64 = 1.05;

/// The median times by size and algorithm.
type Times<'a> = BTreeMap<u64, Vec<(&'a str, f64)>>;

/// Puts the thresholds that `rows` show into the place of those that `table` has for adapters of their kind. Tasks that were not
/// measured keep theirs. Gives what was replaced, as a text for people.
pub fn update_thresholds(rows: &[Row], table: &mut Thresholds) -> Vec<String> {
    let mut replaced = Vec::new();
    for (task, what) in [(Task::Match, "match"), (Task::Boxes, "boxes.with_compact")] {
        let mut by_device: BTreeMap<&str, Times<'_>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.what == what && row.family == FAMILY) {
            let Some(seconds) = row.seconds.filter(|_| row.check == Check::Checked && row.variant != "cpu")
            else {
                continue;
            };
            let times = by_device.entry(&row.device).or_default();
            times.entry(row.n as u64).or_default().push((&row.variant, seconds.median));
        }
        for (device, times) in by_device {
            let rows = thresholds(&times, |algorithm| is_endless(task, algorithm));
            // Where only algorithms that end were measured, nothing is known of larger inputs.
            if let Some(rows) = rows {
                table.replace(task, device, &rows);
                replaced.push(format!("{} on {device}: {} rows", task.name(), rows.len()));
            }
        }
    }
    replaced
}

/// Whether an algorithm holds any number that there can be.
fn is_endless(task: Task, algorithm: &str) -> bool {
    match task {
        Task::Match => {
            let mut endless = Matcher::ALL.iter().copied().filter(|m| m.max_entries() >= i32::MAX as u64);
            endless.any(|matcher| matcher.name() == algorithm)
        }
        Task::Boxes => Algorithm::Hierarchical.name() == algorithm,
    }
}

/// From which size on which algorithm is to be taken.
fn thresholds(times: &Times<'_>, is_endless: impl Fn(&str) -> bool) -> Option<Vec<(u64, String)>> {
    let fastest_of = |all: &[(&str, f64)], is_able: &dyn Fn(&str) -> bool| {
        let able = all.iter().filter(|(name, _)| is_able(name)).copied();
        able.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(name, time)| (name.to_owned(), time))
    };
    let mut rows: Vec<(u64, String)> = Vec::new();
    let mut last_n = 0;
    for (&n, all) in times {
        let (fastest, least) = fastest_of(all, &|_| true)?;
        match rows.last() {
            None => rows.push((0, fastest)),
            Some((_, current)) => match all.iter().find(|(name, _)| name == current) {
                Some((_, time)) if *time <= HYSTERESIS * least => {}
                Some(_) => rows.push((n, fastest)),
                // It does not hold so many. Where it ends is not in the measurements: it may be taken no further.
                None => rows.push((last_n + 1, fastest)),
            },
        }
        last_n = n;
    }
    let (_, last) = rows.last()?;
    if !is_endless(last) {
        let (endless, _) = fastest_of(times.values().last()?, &is_endless)?;
        rows.push((last_n + 1, endless));
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(times: &[(u64, &[(&'static str, f64)])]) -> Option<Vec<(u64, String)>> {
        let times = times.iter().map(|(n, all)| (*n, all.to_vec())).collect();
        thresholds(&times, |name| name == "endless")
    }

    fn rows(rows: &[(u64, &str)]) -> Option<Vec<(u64, String)>> {
        Some(rows.iter().map(|&(n, name)| (n, name.to_owned())).collect())
    }

    #[test]
    fn a_little_faster_is_not_worth_a_threshold() {
        let a_then_b = |b: f64| {
            chosen(&[(1024, &[("a", 1.0), ("endless", 2.0)]), (2048, &[("a", 3.0), ("endless", b)])])
        };
        assert_eq!(a_then_b(2.9), rows(&[(0, "a"), (2049, "endless")]));
        assert_eq!(a_then_b(2.8), rows(&[(0, "a"), (2048, "endless")]));
    }

    #[test]
    fn no_algorithm_is_taken_beyond_what_it_holds() {
        let found = chosen(&[
            (1024, &[("a", 1.0), ("b", 2.0), ("endless", 3.0)]),
            (2048, &[("b", 2.0), ("endless", 3.0)]),
        ]);
        assert_eq!(found, rows(&[(0, "a"), (1025, "b"), (2049, "endless")]));
        assert_eq!(chosen(&[(1024, &[("a", 1.0)])]), None, "nothing is known beyond");
        assert_eq!(chosen(&[]), None);
    }
}
