//! The thresholds between algorithms, derived from measurements.

use std::collections::BTreeMap;

use boxwood::Algorithm;
use boxwood::testing::{Fastest, Task, Thresholds};
use boxwood::tree::Matcher;

use super::row::{Check, Row};
use super::{MAIN_FAMILY, is_on_cpu};

/// The factor by which another algorithm must be faster to replace the current one at a size.
/// Smaller differences vary from run to run.
const HYSTERESIS: f64 = 1.05;

/// The median times by size and algorithm.
type Times<'a> = BTreeMap<u64, Vec<(&'a str, f64)>>;

/// Replaces the thresholds in `table` for the kind of adapter that `rows` have measured, and keeps
/// those of tasks without measurements. Returns a description of each replacement.
pub fn update_thresholds(rows: &[Row], table: &mut Thresholds) -> Vec<String> {
    let mut replaced = Vec::new();
    for (task, what) in [(Task::Match, "match"), (Task::Boxes, "boxes.with_compact")] {
        let mut by_device: BTreeMap<&str, Times<'_>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.what == what && row.family == MAIN_FAMILY) {
            let is_candidate = row.check == Check::Checked && !is_on_cpu(&row.variant);
            let Some(seconds) = row.median_s.filter(|_| is_candidate) else { continue };
            let times = by_device.entry(&row.device).or_default();
            times.entry(row.n as u64).or_default().push((&row.variant, seconds));
        }
        for (device, times) in by_device {
            // If only algorithms with a limit were measured, larger inputs have no known algorithm.
            if let Some(fastest) = thresholds(&times, |algorithm| is_unlimited(task, algorithm)) {
                replaced.push(format!("{} on {device}: {} rows", task.name(), fastest.len()));
                table.replace(task, device, fastest);
            }
        }
    }
    replaced
}

/// Whether an algorithm can hold an input of any size.
fn is_unlimited(task: Task, algorithm: &str) -> bool {
    let is_unlimited = |matcher: &&Matcher| matcher.max_entries() >= i32::MAX as u64;
    match task {
        Task::Match => Matcher::ALL.iter().filter(is_unlimited).any(|matcher| matcher.name() == algorithm),
        Task::Boxes => Algorithm::Hierarchical.name() == algorithm,
    }
}

/// The sizes at which another algorithm becomes the fastest, with its name.
fn thresholds(times: &Times<'_>, is_unlimited: impl Fn(&str) -> bool) -> Option<Fastest> {
    let fastest_of = |all: &[(&str, f64)], is_candidate: &dyn Fn(&str) -> bool| {
        let candidates = all.iter().filter(|(name, _)| is_candidate(name)).copied();
        candidates.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(name, time)| (name.to_owned(), time))
    };
    let mut rows = Fastest::new();
    let mut last_n = 0;
    for (&n, all) in times {
        let (fastest, least) = fastest_of(all, &|_| true)?;
        match rows.last_key_value() {
            None => _ = rows.insert(0, fastest),
            Some((_, current)) => match all.iter().find(|(name, _)| name == current) {
                Some((_, time)) if *time <= HYSTERESIS * least => {}
                Some(_) => _ = rows.insert(n, fastest),
                // The current algorithm has no measurement here. Its limit is unknown, so its last
                // measured size counts as the limit.
                None => _ = rows.insert(last_n + 1, fastest),
            },
        }
        last_n = n;
    }
    let (_, last) = rows.last_key_value()?;
    if !is_unlimited(last) {
        let (unlimited, _) = fastest_of(times.values().last()?, &is_unlimited)?;
        rows.insert(last_n + 1, unlimited);
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(times: &[(u64, &[(&'static str, f64)])]) -> Option<Fastest> {
        let times = times.iter().map(|(n, all)| (*n, all.to_vec())).collect();
        thresholds(&times, |name| name == "unlimited")
    }

    fn rows(rows: &[(u64, &str)]) -> Option<Fastest> {
        Some(rows.iter().map(|&(n, name)| (n, name.to_owned())).collect())
    }

    #[test]
    fn no_variant_on_the_cpu_is_an_algorithm_of_a_device() {
        let row = |variant: &str, seconds: f64| Row {
            what: "match".to_owned(),
            n: 1024,
            family: MAIN_FAMILY.to_owned(),
            variant: variant.to_owned(),
            median_s: Some(seconds),
            min_s: None,
            max_s: None,
            with_read_back_s: None,
            per_s: None,
            ratio_to_copy: None,
            runs: 3,
            check: Check::Checked,
            adapter: String::new(),
            device: "discrete".to_owned(),
            date: String::new(),
        };
        let on_cpu = ["cpu", "cpu_all_cores", "specification", "specification, tree"];
        let mut measured = on_cpu.map(|variant| row(variant, 1e-6)).to_vec();
        measured.push(row(Matcher::Hierarchical.name(), 1e-3));
        let mut table = Thresholds::default();
        assert_eq!(update_thresholds(&measured, &mut table).len(), 1);
        let found: Vec<_> = table.all().map(|(_, _, fastest)| fastest.clone()).collect();
        assert_eq!(found, [rows(&[(0, Matcher::Hierarchical.name())]).expect("there is a row")]);
    }

    #[test]
    fn a_small_advantage_is_not_a_threshold() {
        let a_then_b = |b: f64| {
            chosen(&[(1024, &[("a", 1.0), ("unlimited", 2.0)]), (2048, &[("a", 3.0), ("unlimited", b)])])
        };
        assert_eq!(a_then_b(2.9), rows(&[(0, "a"), (2049, "unlimited")]));
        assert_eq!(a_then_b(2.8), rows(&[(0, "a"), (2048, "unlimited")]));
    }

    #[test]
    fn no_algorithm_is_selected_beyond_its_measurements() {
        let found = chosen(&[
            (1024, &[("a", 1.0), ("b", 2.0), ("unlimited", 3.0)]),
            (2048, &[("b", 2.0), ("unlimited", 3.0)]),
        ]);
        assert_eq!(found, rows(&[(0, "a"), (1025, "b"), (2049, "unlimited")]));
        assert_eq!(chosen(&[(1024, &[("a", 1.0)])]), None, "larger sizes have no known algorithm");
        assert_eq!(chosen(&[]), None);
    }
}
