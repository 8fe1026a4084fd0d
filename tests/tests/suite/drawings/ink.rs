//! The boxes of leaves and groups compared with the pixels that resvg paints for each alone.

use std::path::PathBuf;

use boxwood_svg::Options;
use boxwood_tests::ground_truth::{Table, findings};
use boxwood_tests::{Corpus, Exceptions, exception, in_parallel, own_drawings, own_options};

use super::REFUSED;

/// The maximum distance in pixels by which ink may extend beyond its box: one pixel for
/// anti-aliasing, and one because resvg rounds layers to whole pixels.
const MAX_EXCESS: f64 = 2.0;

/// Drawings of the corpus that resvg paints elsewhere than the SVG standard says.
const EXCEPTIONS: Exceptions<'_> = &[(
    "filters/feDiffuseLighting/complex-transform.svg",
    "resvg rounds the region to whole pixels of an axis-aligned layer and then skews it: 2.03 px",
)];

/// The findings for the drawings, with at most `limit` leaves each, and all faults.
fn table_of(paths: &[PathBuf], options: &Options, limit: usize) -> (Table, Vec<String>) {
    let (mut table, mut faults) = (Table::default(), Vec::new());
    let results = in_parallel(paths, |path| findings(path, options, limit));
    for (path, result) in paths.iter().zip(results) {
        match result {
            Ok(found) => table.extend(found),
            Err(error) if exception(REFUSED, path).is_none() => faults.push(error),
            Err(_) => {}
        }
    }
    let beyond = table.beyond(MAX_EXCESS).into_iter();
    let unexpected = beyond.filter(|finding| exception(EXCEPTIONS, &finding.path).is_none());
    faults.extend(unexpected.map(|finding| format!("{:.2} px outside: {finding}", finding.excess())));
    (table, faults)
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn own_drawings_paint_inside_their_boxes() {
    let (table, faults) = table_of(&own_drawings(), &own_options(), 20);
    println!("{table}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(table.n_leaves() > 100, "the drawings have leaves: {}", table.n_leaves());
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn drawings_of_the_corpus_paint_inside_their_boxes() {
    let corpus = Corpus::from_env();
    let paths = corpus.some_drawings();
    let (table, faults) = table_of(&paths, &corpus.options(), 50);
    println!("{} drawings\n{table}", paths.len());
    for finding in table.beyond(1.0) {
        println!("{:.2} px outside: {finding}", finding.excess());
    }
    for finding in table.loosest(60) {
        println!("{:.1} times its ink: {finding}", finding.looseness().unwrap_or_default());
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
