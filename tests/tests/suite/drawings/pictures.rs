//! Vello's pictures of drawings against resvg's.

use std::path::{Path, PathBuf};

use boxwood_tests::{PictureDifference, gpu, picture_difference};
use boxwood_view::Painter;

use crate::drawings::{samples, spread_files};

/// Drawings of the corpus whose pictures are plainly not the same, by the end of their path, each with why.
const EXCEPTIONS: [(&str, &str); 7] = [
    ("batik/samples/textRotate.svg", "resvg loses layers of groups with opacity inside of each other"),
    (
        "filters/feTile/complex-transform.svg",
        "resvg rounds a skewed filter to the pixels of an upright layer",
    ),
    (
        "extra/filter-region-precision.svg",
        "resvg rounds the region of a filter to pixels, of which there are 20",
    ),
    ("stroke/line-as-curve-1.svg", "Vello follows handles of 1/10000, which resvg takes for none"),
    ("stroke-linejoin/miter-clip.svg", "Vello has no miter-clip"),
    ("scripting/security3.svg", CRISP_EDGES),
    ("filters/filterRegionDetailed.svg", CRISP_EDGES),
];

const CRISP_EDGES: &str = "Vello has no shape-rendering: crispEdges";

/// How many of the worst are listed, and written as pictures.
const N_WORST: usize = 60;

/// The head of a table of differences.
const HEAD: &str = "| drawing | mean, of 255 | off by more than 16 | by more than 64 | and at no edge |\n|---|---|---|---|---|";

/// The differences of all drawings that load, the worst first, and which do not, and why. `look` gets each as it is found.
fn differences_of(
    paths: &[PathBuf],
    font_dirs: &[PathBuf],
    mut look: impl FnMut(&PictureDifference),
) -> (Vec<PictureDifference>, Vec<String>) {
    let mut painter = Painter::new(gpu()).expect("the adapter runs the renderer");
    let (mut differences, mut failures) = (Vec::new(), Vec::new());
    for path in paths {
        match picture_difference(&mut painter, path, font_dirs) {
            Ok(difference) => {
                look(&difference);
                differences.push(difference);
                // The pictures of the others are not kept.
                differences.sort_by(|a, b| {
                    (b.off_inside, b.mean).partial_cmp(&(a.off_inside, a.mean)).expect("numbers")
                });
                differences.truncate(N_WORST);
            }
            Err(failure) => failures.push(failure),
        }
    }
    (differences, failures)
}

#[test]
fn samples_look_as_resvg_draws_them() {
    let (worst, failures) = differences_of(&samples(), &[], |_| {});
    assert_eq!(failures, [""; 0]);
    for difference in worst {
        assert!(difference.off_inside < 1e-3 && difference.plainly_off < 5e-3, "{difference}");
    }
}

/// Every 40th file of a folder of drawings, where there is one, or as many as `BOXWOOD_EVERY` says. The folder that
/// `BOXWOOD_PICTURES` names gets the worst, side by side.
#[test]
#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn files_of_the_corpus_look_as_resvg_draws_them() {
    let Some(folder) = std::env::var_os("BOXWOOD_CORPUS") else { return };
    let fonts = Path::new(&folder).join("resvg/fonts");
    let font_dirs: Vec<_> = fonts.is_dir().then_some(fonts).into_iter().collect();
    println!("{HEAD}");
    let print = |difference: &PictureDifference| println!("{difference}");
    let (worst, failures) = differences_of(&spread_files(Path::new(&folder)), &font_dirs, print);
    println!("\nThe worst:\n\n{HEAD}");
    worst.iter().for_each(print);
    let is_exception = |name: &str| EXCEPTIONS.iter().any(|(path, _)| name.ends_with(path));
    let faults: Vec<_> = worst
        .iter()
        .filter(|d| (d.off_inside > 5e-4 || d.plainly_off > 0.02) && !is_exception(&d.name))
        .map(PictureDifference::to_string)
        .collect();
    println!("\n{} are not drawn:\n\n{}", failures.len(), failures.join("\n"));
    if let Some(pictures) = std::env::var_os("BOXWOOD_PICTURES") {
        for (rank, difference) in worst.iter().enumerate() {
            let name = Path::new(&difference.name).file_stem().expect("it is a file").to_string_lossy();
            let path = Path::new(&pictures).join(format!("{rank:02}_{name}.png"));
            difference.side_by_side().save(&path).unwrap_or_else(|e| panic!("{e}: {}", path.display()));
        }
    }
    assert!(faults.is_empty(), "these are plainly not as resvg draws them:\n{}", faults.join("\n"));
}
