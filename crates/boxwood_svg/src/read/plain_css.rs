//! The passes over a document that replace CSS by what usvg reads.

use std::cell::RefCell;
use std::collections::HashMap;

use usvg::roxmltree::{Document, Error};
use usvg::{Node, Options as UsvgOptions, Text, Tree};

use crate::css::sizes::{FontMetrics, Measure};
use crate::options::Options;
use crate::quirks::{css_geometry, css_transforms, path_length};
use crate::read::fonts;
use crate::rewrite::escaped;
use crate::warnings::Warnings;
use crate::xml::parse;

/// The size at which fonts are measured.
const FONT_SIZE: f64 = 1000.0;

/// The metrics that CSS has for a font that has none, except the height of capitals.
const UNKNOWN: FontMetrics = FontMetrics { ch: 0.5, ex: 0.5, cap: 0.7 };

/// The text of a document with plain attributes, which has the same elements. `None` if they are
/// plain.
///
/// # Errors
///
/// If an edit has broken the document, which is a bug.
pub(crate) fn plain_text(
    document: &Document<'_>,
    measure: Measure<'_>,
    warnings: &Warnings,
) -> Result<Option<String>, Error> {
    let plain = css_geometry::plain(document, measure, warnings);
    let again = plain.as_deref().map(parse).transpose()?;
    let transformed = css_transforms::matrices(again.as_ref().unwrap_or(document), measure, warnings);
    let transformed = transformed.or(plain);
    let again = transformed.as_deref().map(parse).transpose()?;
    let scaled = path_length::scaled_dashes(again.as_ref().unwrap_or(document), measure, warnings);
    Ok(scaled.or(transformed))
}

/// Measures each list of families once.
pub(crate) fn measure(options: &Options) -> impl Fn(&str) -> FontMetrics {
    let known = RefCell::new(HashMap::new());
    move |families: &str| {
        let mut known = known.borrow_mut();
        *known.entry(families.to_owned()).or_insert_with(|| metrics(families, options))
    }
}

/// The metrics of the font that usvg chooses for a list of families.
fn metrics(families: &str, options: &Options) -> FontMetrics {
    let family =
        if families.is_empty() { String::new() } else { format!("font-family=\"{}\"", escaped(families)) };
    let text = |letter| format!("<text {family} font-size='{FONT_SIZE}'>{letter}</text>");
    let texts = ["0", "x", "H"].map(text).concat();
    let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'>{texts}</svg>");
    let usvg_options = UsvgOptions { font_resolver: fonts::resolver(options), ..UsvgOptions::default() };
    let Ok(tree) = Tree::from_str(&svg, &usvg_options) else { return UNKNOWN };
    let [Node::Text(zero), Node::Text(x), Node::Text(capital)] = tree.root().children() else {
        return UNKNOWN;
    };
    let height = |text: &Text| -f64::from(text.flattened().bounding_box().top()) / FONT_SIZE;
    let ch = f64::from(zero.bounding_box().width()) / FONT_SIZE;
    FontMetrics { ch, ex: height(x), cap: height(capital) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Fonts;

    #[test]
    fn fonts_are_measured() {
        let options = Options { fonts: Fonts::Bundled, ..Options::default() };
        let FontMetrics { ch, ex, cap } = metrics("'Noto Sans'", &options);
        // By the tables of the font: 572, 536 and 714 of 1000 units.
        assert_eq!([ch, ex, cap].map(|v| (v * 1e3).round()), [572.0, 536.0, 714.0]);
    }
}
