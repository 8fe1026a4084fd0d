//! The pictures of Vello and of `vello_cpu` compared with resvg's.

use std::path::{Path, PathBuf};

use boxwood_render::Painter;
use boxwood_svg::Options;
use boxwood_tests::{
    Corpus, EncodingRenderer, Exceptions, PictureTable, Tolerance, gpu, own_drawings, own_options,
    picture_difference,
};

use super::REFUSED;

/// Drawings whose two pictures differ plainly.
const EXCEPTIONS: Exceptions<'_> = &[
    ("batik/samples/textRotate.svg", "resvg loses layers of groups with opacity inside each other"),
    (
        "filters/feTile/complex-transform.svg",
        "resvg rounds a skewed filter to whole pixels of an axis-aligned layer",
    ),
    (
        "extra/filter-region-precision.svg",
        "resvg rounds the region of a filter to whole pixels, and it has only 20",
    ),
    ("stroke/line-as-curve-1.svg", "Vello uses control arms of length 1/10000, and resvg ignores them"),
    ("stroke-linejoin/miter-clip.svg", MITER_CLIP),
    ("reports/s02_miter_limit.svg", MITER_CLIP),
    ("reports/k04_huge.svg", "resvg loses a rectangle that is 2e38 px wide"),
    ("scripting/security3.svg", CRISP_EDGES),
    ("filters/filterRegionDetailed.svg", CRISP_EDGES),
];

/// Drawings that `vello_cpu` draws plainly differently, while Vello does not.
const VELLO_CPU_EXCEPTIONS: Exceptions<'_> = &[
    ("cases/strokenan.svg", KURBO_CUSP),
    ("browsers/strokenan.svg", KURBO_CUSP),
    ("isolation/as-property.svg", ISOLATED),
    ("mix-blend-mode/color-burn.svg", ISOLATED),
    ("mix-blend-mode/color-dodge.svg", ISOLATED),
    ("mix-blend-mode/color.svg", ISOLATED),
    ("mix-blend-mode/difference.svg", ISOLATED),
    ("mix-blend-mode/exclusion.svg", ISOLATED),
    ("mix-blend-mode/lighten.svg", ISOLATED),
    ("mix-blend-mode/luminosity.svg", ISOLATED),
    ("mix-blend-mode/opacity-on-element.svg", ISOLATED),
    ("mix-blend-mode/overlay.svg", ISOLATED),
    ("mix-blend-mode/saturation.svg", ISOLATED),
    ("mix-blend-mode/screen.svg", ISOLATED),
];

const KURBO_CUSP: &str = "vello_cpu expands strokes with kurbo, which divides by zero at a cusp";

const ISOLATED: &str =
    "vello_cpu isolates what it clips, so that the drawing does not blend with the background";

const MITER_CLIP: &str = "Vello and vello_cpu have no miter-clip";

const CRISP_EDGES: &str = "Vello has no shape-rendering: crispEdges";

/// The tolerance for the drawings of the repository, which avoid features that Vello lacks.
const OWN_TOLERANCE: Tolerance = Tolerance { off_inside: 1e-3, plainly_off: 5e-3 };

/// The tolerance for the corpus, in which small drawings consist mostly of edges.
const CORPUS_TOLERANCE: Tolerance = Tolerance { off_inside: 5e-4, plainly_off: 0.02 };

#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn table_of<'a>(
    renderer: &mut EncodingRenderer,
    paths: &[PathBuf],
    options: &Options,
    tolerance: Tolerance,
    exceptions: Exceptions<'a>,
) -> PictureTable<'a> {
    let mut table = PictureTable::new(tolerance, exceptions);
    println!("{}", PictureTable::HEAD);
    for path in paths {
        let difference = picture_difference(renderer, path, options);
        if let Ok(difference) = &difference {
            println!("{difference}");
        }
        table.add(path, difference);
    }
    table
}

fn vello() -> EncodingRenderer {
    EncodingRenderer::Vello(Box::new(Painter::new(gpu()).expect("the adapter runs the renderer")))
}

fn assert_own_drawings_look_as_resvg_draws_them(renderer: &mut EncodingRenderer, exceptions: Exceptions<'_>) {
    let exceptions = [exceptions, REFUSED].concat();
    let table = table_of(renderer, &own_drawings(), &own_options(), OWN_TOLERANCE, &exceptions);
    assert!(table.faults().is_empty(), "{}", table.faults().join("\n"));
}

#[test]
fn own_drawings_look_as_resvg_draws_them() {
    assert_own_drawings_look_as_resvg_draws_them(&mut vello(), &[]);
}

#[test]
fn own_drawings_by_vello_cpu_look_as_resvg_draws_them() {
    assert_own_drawings_look_as_resvg_draws_them(&mut EncodingRenderer::VelloCpu, VELLO_CPU_EXCEPTIONS);
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn drawings_of_the_corpus_look_as_resvg_draws_them() {
    assert_drawings_of_the_corpus_look_as_resvg_draws_them(&mut vello(), &[]);
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn drawings_of_the_corpus_by_vello_cpu_look_as_resvg_draws_them() {
    assert_drawings_of_the_corpus_look_as_resvg_draws_them(
        &mut EncodingRenderer::VelloCpu,
        VELLO_CPU_EXCEPTIONS,
    );
}

/// The folder that the environment variable `BOXWOOD_PICTURES` names gets the worst pictures.
#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn assert_drawings_of_the_corpus_look_as_resvg_draws_them(
    renderer: &mut EncodingRenderer,
    exceptions: Exceptions<'_>,
) {
    let corpus = Corpus::from_env();
    let exceptions = [EXCEPTIONS, exceptions, REFUSED].concat();
    let table = table_of(renderer, &corpus.some_drawings(), &corpus.options(), CORPUS_TOLERANCE, &exceptions);
    println!("\nThe worst:\n\n{}", PictureTable::HEAD);
    table.worst().iter().for_each(|worst| println!("{worst}"));
    if let Some(pictures) = std::env::var_os("BOXWOOD_PICTURES") {
        for (rank, difference) in table.worst().iter().enumerate() {
            let name = difference.path.file_stem().expect("a drawing has a name").to_string_lossy();
            let path = Path::new(&pictures).join(format!("{rank:02}_{name}.png"));
            difference.side_by_side().save(&path).unwrap_or_else(|e| panic!("{e}: {}", path.display()));
        }
    }
    assert!(table.faults().is_empty(), "{} faults:\n{}", table.faults().len(), table.faults().join("\n"));
}
