//! Precise hits compared with the pixels that resvg paints for each leaf alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use boxwood_svg::Options;
use boxwood_tests::ground_truth::{Class, HitFinding, hit_findings};
use boxwood_tests::{Corpus, Exceptions, exception, in_parallel, own_drawings, own_options};

use super::REFUSED;

/// The number of random points per leaf.
const N_POINTS: usize = 200;

/// The findings for the drawings with at most `limit` leaves each, and the drawings that do not
/// load.
fn findings_of(paths: &[PathBuf], options: &Options, limit: usize) -> (Vec<HitFinding>, Vec<String>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    let results = in_parallel(paths, |path| hit_findings(path, options, limit, N_POINTS));
    for (path, result) in paths.iter().zip(results) {
        match result {
            Ok(of_path) => found.extend(of_path),
            Err(error) if exception(REFUSED, path).is_none() => faults.push(error),
            Err(_) => {}
        }
    }
    (found, faults)
}

/// Prints a table of the findings by class.
#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn print(found: &[HitFinding]) {
    let mut classes: BTreeMap<Class, Vec<&HitFinding>> = BTreeMap::new();
    found.iter().for_each(|finding| classes.entry(finding.class).or_default().push(finding));
    println!("| class | leaves | points with ink | not hit | points without ink | hit | in the box |");
    println!("|---|---|---|---|---|---|---|");
    for (class, found) in classes {
        let sum = |of: fn(&HitFinding) -> usize| found.iter().map(|finding| of(finding)).sum::<usize>();
        let [with, without] = [sum(|f| f.n_points[0]), sum(|f| f.n_points[1])];
        let (missed, without_ink) = (sum(|f| f.n_missed), sum(|f| f.n_without_ink));
        let boxed = sum(|f| f.n_boxed);
        println!("| {class:?} | {} | {with} | {missed} | {without} | {without_ink} | {boxed} |", found.len());
    }
    for finding in found.iter().filter(|finding| finding.example.is_some()) {
        println!("{finding}");
    }
}

/// Drawings of the corpus with gradients that are transparent inside of the boxes of leaves.
const TRANSPARENT_GRADIENTS: Exceptions<'_> =
    &[("reports/w17_gradient_transparent.svg", IN_PARTS), ("svg/pservers-grad-13-b.svg", IN_PARTS)];

const IN_PARTS: &str = "a radial gradient is transparent in parts of its box, which count as paint";

/// The findings that are faults: ink that is not hit, and hits without ink, except where
/// transparent pixels count.
fn faults_in(found: &[HitFinding]) -> impl Iterator<Item = String> {
    let is_transparent = |finding: &HitFinding| {
        finding.has_transparent_paint || exception(TRANSPARENT_GRADIENTS, &finding.path).is_some()
    };
    let is_fault = move |finding: &&HitFinding| {
        finding.n_missed > 0 || (finding.n_without_ink > 0 && !is_transparent(finding))
    };
    found.iter().filter(is_fault).map(ToString::to_string)
}

#[test]
fn own_drawings_are_hit_where_they_have_ink() {
    let (found, mut faults) = findings_of(&own_drawings(), &own_options(), 20);
    print(&found);
    faults.extend(faults_in(&found));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for (with_ink, name) in [(0, "with ink"), (1, "without ink")] {
        let n_points: usize = found.iter().map(|finding| finding.n_points[with_ink]).sum();
        assert!(n_points > 5_000, "only {n_points} points {name}");
    }
    let n_boxed: usize = found.iter().map(|finding| finding.n_boxed).sum();
    assert!(n_boxed > 1_000, "boxes alone would be wrong at only {n_boxed} points");
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn drawings_of_the_corpus_are_hit_where_they_have_ink() {
    let corpus = Corpus::from_env();
    let (found, mut faults) = findings_of(&corpus.some_drawings(), &corpus.options(), 20);
    print(&found);
    faults.extend(faults_in(&found));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
