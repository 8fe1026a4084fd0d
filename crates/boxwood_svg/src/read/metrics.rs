//! The metrics of fonts, which some units of CSS are relative to.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use usvg::{Node, Options as UsvgOptions, Text, Tree};

use crate::css::sizes::FontMetrics;
use crate::dom::Document;
use crate::options::Options;
use crate::read::fonts;
use crate::read::fonts::embedded::EmbeddedFonts;

/// The size at which fonts are measured.
const FONT_SIZE: f64 = 1000.0;

/// The metrics that CSS has for a font that has none, except the heights of capitals and
/// of lines.
const UNKNOWN: FontMetrics = FontMetrics { ch: 0.5, ex: 0.5, cap: 0.7, line: 1.2 };

/// Measures each list of families once.
pub(crate) fn measure(options: &Options, embedded: &Arc<EmbeddedFonts>) -> impl Fn(&str) -> FontMetrics {
    let known = RefCell::new(HashMap::new());
    move |families: &str| {
        let mut known = known.borrow_mut();
        *known.entry(families.to_owned()).or_insert_with(|| metrics(families, options, embedded))
    }
}

/// The metrics of the font that usvg chooses for a list of families.
fn metrics(families: &str, options: &Options, embedded: &Arc<EmbeddedFonts>) -> FontMetrics {
    let mut document = Document::parse("<svg width='1' height='1'/>").expect("it is XML");
    let root = document.root_element().id();
    for letter in ["0", "x", "H"] {
        let size = FONT_SIZE.to_string();
        let text = document.append_element(root, "text", &[("font-size", &size)]);
        if !families.is_empty() {
            document.set_attribute(text, "font-family", families);
        }
        document.append_text(text, letter);
    }
    let mut usvg_options = UsvgOptions::default();
    fonts::resolve(&mut usvg_options, options, embedded);
    let Ok(tree) = Tree::from_str(&document.to_xml(), &usvg_options) else { return UNKNOWN };
    let [Node::Text(zero), Node::Text(x), Node::Text(capital)] = tree.root().children() else {
        return UNKNOWN;
    };
    let height = |text: &Text| -f64::from(text.flattened().bounding_box().top()) / FONT_SIZE;
    let ch = f64::from(zero.bounding_box().width()) / FONT_SIZE;
    let line = f64::from(zero.bounding_box().height()) / FONT_SIZE;
    FontMetrics { ch, ex: height(x), cap: height(capital), line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Fonts;

    #[test]
    fn fonts_are_measured() {
        let options = Options { fonts: Fonts::Bundled, ..Options::default() };
        let FontMetrics { ch, ex, cap, line } = metrics("'Noto Sans'", &options, &Arc::default());
        // By the tables of the font: 572, 536, 714 and 1362 of 1000 units.
        assert_eq!([ch, ex, cap, line].map(|v| (v * 1e3).round()), [572.0, 536.0, 714.0, 1362.0]);
    }
}
