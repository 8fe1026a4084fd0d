//! Tests that a check can fail.

use boxwood::tree::Matcher;
use boxwood::{Aabb, Algorithm, Entry, LimitsError};

use super::word::Word;
use super::*;
use boxwood_inputs::{Random, family};

fn gpu() -> Gpu {
    let adapter = std::env::var("BOXWOOD_ADAPTER").ok();
    Gpu::open(adapter.as_deref()).unwrap_or_else(|e| panic!("the tests need a graphics adapter: {e}"))
}

/// A case on random trees whose expected results are changed by `fault`.
fn wrong(subject: Subject, fault: impl FnOnce(&mut Case)) -> Case {
    let family = family("random with leaves").expect("the family exists");
    let mut case = Case::new(subject, &family, 1000);
    fault(&mut case);
    case
}

/// Asserts that every algorithm differs from a case in this array, at this index first.
#[track_caller]
fn assert_found(checker: &Checker<'_>, subject: Subject, case: &Case, field: &str, index: usize) {
    let outcomes: Vec<Outcome> = checker.check(case, 2).collect();
    let algorithms = algorithms(subject);
    assert_eq!(outcomes.len(), algorithms.len());
    for (algorithm, outcome) in algorithms.iter().zip(outcomes) {
        let difference = outcome.expect("the device answers and holds the input");
        let start = format!("{field}[{index}]: ");
        assert!(difference.as_ref().is_some_and(|d| d.starts_with(&start)), "{algorithm}: {difference:?}");
    }
}

#[test]
fn a_difference_in_any_result_is_found() {
    let gpu = gpu();
    let checker = Checker::new(&gpu);
    let case = wrong(Subject::Match, |case| {
        let Case::Match { expected, .. } = case else { unreachable!("the case is for that task") };
        expected[999] ^= 1;
    });
    assert_found(&checker, Subject::Match, &case, "matches", 999);

    // Each fault returns the index that it has changed.
    type Fault = fn(&mut boxwood::Boxes) -> usize;
    let faults: [(&str, Fault); 6] = [
        ("entries", |b| {
            b.entries[7] = Entry::begin(999);
            7
        }),
        ("ranks", |b| {
            b.ranks[7] = 999;
            7
        }),
        ("links", |b| {
            b.links[7].partner = 999;
            7
        }),
        ("clip_boxes", |b| {
            b.clip_boxes[7].x0 = 0.5;
            7
        }),
        ("clipped_boxes", |b| {
            let leaf = b
                .clipped_boxes
                .iter()
                .position(|&b| b != Aabb::EMPTY)
                .expect("a third of the elements are leaves");
            b.clipped_boxes[leaf].x0 = 0.5;
            leaf
        }),
        ("group_boxes", |b| {
            b.group_boxes[7] = Aabb { y1: 0.5, ..Aabb::PLANE };
            7
        }),
    ];
    for (field, fault) in faults {
        let mut index = 0;
        let case = wrong(Subject::Boxes, |case| {
            let Case::Boxes { expected, .. } = case else { unreachable!("the case is for that task") };
            index = fault(expected);
        });
        assert_found(&checker, Subject::Boxes, &case, field, index);
    }

    for field in ["down", "up"] {
        let case = wrong(Subject::TreeScan, |case| {
            let Case::TreeScan { down, up, .. } = case else { unreachable!("the case is for that task") };
            let results = if field == "down" { down } else { up };
            results[7] = Word::random(&mut Random::new(7));
        });
        assert_found(&checker, Subject::TreeScan, &case, field, 7);
    }
}

#[test]
fn a_line_reports_the_outcomes() {
    let line = |outcomes: Vec<Outcome>| {
        let mut line = CheckLine::new("match, simple".to_owned(), "comb");
        for (n, outcome) in [5, 6, 7].into_iter().zip(outcomes) {
            line.add(n, outcome).expect("no error of the device");
        }
        line.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let beyond_limit = || Err(LimitsError::Elements { need: 9, limit: 8 }.into());
    assert_eq!(line(vec![Ok(None), Ok(None)]), "ok match, simple comb 2 of 2 sizes up to 6");
    assert_eq!(line(vec![beyond_limit()]), "skipped match, simple comb 1 skipped: limit");
    let difference = Ok(Some("matches[3]: 1 expected, -1 found".to_owned()));
    assert_eq!(
        line(vec![Ok(None), difference, beyond_limit()]),
        "DIFFERENT match, simple comb 1 of 2 sizes up to 6, 1 skipped: limit; \
         first at n = 6, matches[3]: 1 expected, -1 found"
    );
}

/// Right results are ok, and inputs beyond a limit are skipped.
#[test]
fn right_results_are_ok() {
    let options =
        CheckOptions { repeat: 3, family: vec!["random walk".to_owned()], ..CheckOptions::new(9, 9) };
    let mut out = Vec::new();
    let tally = check(&gpu(), &options, &mut out).expect("the device answers");
    let n_algorithms = Matcher::ALL.len() + Algorithm::ALL.len() + 1;
    assert_eq!(tally, Tally { n_ok: 3 * n_algorithms, n_different: 0, n_skipped: 0 });
    let out = String::from_utf8(out).expect("lines are text");
    assert_eq!(out.lines().count(), n_algorithms, "{out}");

    let what = vec![Subject::Match];
    let options = CheckOptions { what, family: vec!["comb".to_owned()], ..CheckOptions::new(16, 16) };
    let tally = check(&gpu(), &options, &mut Vec::new()).expect("the device answers");
    // Two algorithms have a limit of 2^16 entries.
    assert_eq!(tally, Tally { n_ok: 3 * Matcher::ALL.len() - 2, n_different: 0, n_skipped: 2 });
}
