//! SVG drawings from end to end: their boxes, their ink, and their pictures.
//!
//! Each check runs on the drawings of `assets`, always, and on the corpus that the environment
//! variable `BOXWOOD_CORPUS` names, on request: `cargo test -- --include-ignored`.

mod agreement;
mod cases;
mod culled;
mod findings;
mod flat;
mod hits;
mod ink;
mod laws;
mod picked_commands;
mod pictures;
mod repaint;

use boxwood_tests::Exceptions;

/// Drawings of the corpus that do not load.
const REFUSED: Exceptions<'_> = &[
    ("spec/scripting/bbox.svg", NO_XLINK),
    ("spec/scripting/display.svg", NO_XLINK),
    ("spec/scripting/text_ylist1.svg", NO_XLINK),
    ("spec/scripting/text_ylist2.svg", NO_XLINK),
    ("spec/scripting/textpathProperties.svg", NO_XLINK),
    ("spec/scripting/transform.svg", NO_XLINK),
    ("spec/scripting/trefProperties.svg", NO_XLINK),
    ("spec/scripting/visibility.svg", NO_XLINK),
    ("spec/scripting/zeroSize.svg", NO_XLINK),
    ("spec/structure/systemLanguage.svg", NO_XLINK),
    ("spec/structure/systemLanguageDialect.svg", NO_XLINK),
    ("spec/text/textLength.svg", NO_XLINK),
    ("cases/deep_1100.svg", TOO_LARGE),
    ("cases/deep_2000.svg", TOO_LARGE),
    ("jsvg/parser/manyImplicitPathsThroughUse.svg", TOO_LARGE),
    ("reports/e03b_utf16le_nobom.svg", BROKEN),
    ("reports/e04b_latin1_undeclared.svg", BROKEN),
    ("reports/e06a_unclosed.svg", BROKEN),
    ("reports/e06b_amp.svg", BROKEN),
    ("reports/e06c_dupattr.svg", BROKEN),
    ("reports/e06e_no_xlink.svg", NO_XLINK),
    ("reports/e06f_nbsp.svg", BROKEN),
    ("reports/e06g_trailing.svg", BROKEN),
    ("reports/e06h_html.svg", BROKEN),
    ("reports/e06i_leading_ws.svg", BROKEN),
    ("reports/e06j_prefix_unbound.svg", BROKEN),
    ("reports/e09_xxe.svg", BROKEN),
    ("reports/e10_empty.svg", BROKEN),
    ("reports/e11_png.svg", BROKEN),
    ("reports/e16_utf8_bad.svg", BROKEN),
    ("reports/r03_zero_viewbox.svg", NO_AREA),
    ("structure/svg/negative-size.svg", NO_AREA),
    ("structure/svg/zero-size.svg", NO_AREA),
];

const BROKEN: &str = "the file is not well-formed, or no drawing, on purpose";
const NO_XLINK: &str = "the file uses the prefix `xlink` without declaring it";
const TOO_LARGE: &str = "the drawing exceeds a limit of the loader on purpose";
const NO_AREA: &str = "the drawing has no area";
