//! Tests that a check can fail.

use boxwood::tree::Matcher;
use boxwood::{Aabb, Algorithm, Context, Entry, LimitsError};

use super::word::Word;
use super::*;
use crate::inputs::{Family, Random, box_family, family};

fn gpu() -> Gpu {
    let adapter = std::env::var("BOXWOOD_ADAPTER").ok();
    Gpu::open(adapter.as_deref()).unwrap_or_else(|e| panic!("the tests need a graphics adapter: {e}"))
}

/// A task on random trees.
fn on_trees(task: impl FnOnce(Family) -> Task) -> Task {
    task(family("random with leaves").expect("the family exists"))
}

/// A case whose expected results are changed by `fault`.
fn wrong(task: Task, fault: impl FnOnce(&mut Case)) -> Case {
    let mut case = Case::new(task, 1000);
    fault(&mut case);
    case
}

/// Asserts that every algorithm differs from a case in this array, at this index first.
#[track_caller]
fn assert_found(checker: &Checker<'_>, task: Task, case: &Case, field: &str, index: usize) {
    let outcomes: Vec<Outcome> = checker.check(case, 2).collect();
    let algorithms = algorithms(task);
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
    let task = on_trees(Task::Match);
    let case = wrong(task, |case| {
        let Case::Match { expected, .. } = case else { unreachable!("the case is for that task") };
        expected[999] ^= 1;
    });
    assert_found(&checker, task, &case, "matches", 999);

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
        let (task, mut index) = (on_trees(Task::Boxes), 0);
        let case = wrong(task, |case| {
            let Case::Boxes { expected, .. } = case else { unreachable!("the case is for that task") };
            index = fault(expected);
        });
        assert_found(&checker, task, &case, field, index);
    }

    for field in ["down", "up"] {
        let task = on_trees(Task::TreeScan);
        let case = wrong(task, |case| {
            let Case::TreeScan { down, up, .. } = case else { unreachable!("the case is for that task") };
            let results = if field == "down" { down } else { up };
            results[7] = Word::random(&mut Random::new(7));
        });
        assert_found(&checker, task, &case, field, 7);
    }
}

/// A fault is found in the last word of each array that a spatial stage returns.
#[test]
fn a_difference_in_any_spatial_result_is_found() {
    let gpu = gpu();
    let device = spatial::Device::new(&gpu, &Context::new(&gpu.device));
    let input = spatial::Input::new(box_family("windows").expect("the family exists"), 300);
    let specified = spatial::specified(&input);
    for (stage, expected) in spatial::STAGES.iter().zip(specified) {
        let expected = expected.expect("the input is small");
        for algorithm in 0..stage.algorithms.len() {
            let name = stage.algorithms[algorithm];
            let check = |expected: &[spatial::Words]| {
                device.check(stage, algorithm, &input, expected).expect("the device answers")
            };
            assert_eq!(check(&expected), None, "{name}");
            for array in 0..expected.len() {
                let mut wrong = expected.clone();
                let spatial::Words { name: array_name, words } = &mut wrong[array];
                let last =
                    words.len().checked_sub(1).unwrap_or_else(|| panic!("{name}: {array_name} is empty"));
                words[last] ^= 1;
                let start = format!("{array_name}[{last}]: ");
                let found = check(&wrong);
                assert!(found.as_ref().is_some_and(|found| found.starts_with(&start)), "{name}: {found:?}");
            }
        }
    }
}

/// A result that is too short, or too long, is a difference.
#[test]
fn another_number_of_results_is_found() {
    let gpu = gpu();
    let device = spatial::Device::new(&gpu, &Context::new(&gpu.device));
    let input = spatial::Input::new(box_family("small boxes").expect("the family exists"), 100);
    let stage = &spatial::STAGES[0];
    let mut expected = (spatial::specified(&input).swap_remove(0)).expect("the input is small");
    expected[0].words.push(7);
    let found = device.check(stage, 0, &input, &expected).expect("the device answers");
    let n = expected[0].words.len();
    let difference = format!("{}: {n} words expected, {} found", expected[0].name, n - 1);
    assert_eq!(found, Some(difference));
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

/// Each spatial stage is right for families of boxes, and stages with a limit skip larger inputs.
#[test]
fn right_spatial_results_are_ok() {
    let family = ["windows", "few centers"].map(str::to_owned).to_vec();
    let of = |min, max| {
        let what = vec![Subject::Spatial];
        let options = CheckOptions { what, family: family.clone(), ..CheckOptions::new(min, max) };
        let mut out = Vec::new();
        let tally = check(&gpu(), &options, &mut out).expect("the device answers");
        (tally, String::from_utf8(out).expect("lines are text"))
    };
    let n_algorithms: usize = spatial::STAGES.iter().map(|stage| stage.algorithms.len()).sum();
    let (tally, out) = of(0, 5);
    let n_sizes: usize = (0..2).map(|family| CheckOptions::new(0, 5).sizes(family, 0).len()).sum();
    let n_ok = n_sizes * n_algorithms;
    assert_eq!(tally, Tally { n_ok, n_different: 0, n_skipped: 0 }, "{out}");
    assert_eq!(out.lines().count(), 2 * n_algorithms, "{out}");
    // The networks of wires sort at most 2048 items.
    let (tally, out) = of(12, 12);
    let n_skipped = 2 * 4;
    assert_eq!(tally, Tally { n_ok: 2 * n_algorithms - n_skipped, n_different: 0, n_skipped }, "{out}");
}

#[test]
fn families_of_trees_and_of_boxes_are_told_apart() {
    let of = |subject, name: &str| tasks(&[subject], &[name.to_owned()]).map(|tasks| tasks.len());
    assert_eq!(of(Subject::Spatial, "windows").expect("it is a family of boxes"), 1);
    assert_eq!(of(Subject::Match, "comb").expect("it is a family of trees"), 1);
    for (subject, name) in [(Subject::Match, "windows"), (Subject::Spatial, "comb")] {
        let error = of(subject, name).expect_err("it is of the other kind").to_string();
        assert!(error.starts_with(&format!("no family is called \"{name}\"; there are: \"")), "{error}");
    }
    assert_eq!(tasks(&[Subject::Match, Subject::Spatial], &[]).expect("all exist").len(), 28 + 19);
}
