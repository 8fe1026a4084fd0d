//! usvg 0.49 shifts `sub` and `super` by the offsets that a font has for its own subscripts.
//!
//! CSS Inline 3 (section 4.4) leaves the distance open. Browsers shift by half the height of a line
//! in the font of the shifted element, so usvg gets that length.

use crate::css::sizes::{LengthAxis, Sizes};
use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;

const PROPERTY: &str = "baseline-shift";

/// Replaces `sub` and `super` by lengths.
pub(crate) fn measure_words(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let sign = |node: Node<'_>| match node.attribute(PROPERTY)?.trim() {
        "sub" => Some((node.id(), -1.0)),
        "super" => Some((node.id(), 1.0)),
        _ => None,
    };
    let shifted: Vec<_> = document.elements().filter_map(sign).collect();
    if shifted.is_empty() {
        return Ok(());
    }
    let sizes = Sizes::of_document(document, tools.measure);
    for (id, sign) in shifted {
        let line = sizes.units(document.node(id), LengthAxis::Y).metrics().line;
        document.set_attribute(id, PROPERTY, format!("{}em", sign * 0.5 * line));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use usvg::{Node as UsvgNode, Options, Tree};

    use crate::passes::testing::{after_css, fonts};

    fn drawing(contents: &str) -> String {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
            <text font-family='Noto Sans' font-size='40'>E{contents}</text></svg>"
        )
    }

    /// How far up the baseline of each run of glyphs after the first one is.
    fn shifts(xml: &str) -> Vec<f32> {
        let options = Options { fontdb: fonts(), ..Options::default() };
        let tree = Tree::from_str(xml, &options).expect("the drawing is valid");
        let [UsvgNode::Text(text)] = tree.root().children() else { panic!("one text") };
        let spans = text.layouted().iter().skip(1);
        spans.map(|span| -span.positioned_glyphs[0].outline_transform().ty).collect()
    }

    #[test]
    fn usvg_still_shifts_subscripts_by_a_metric_of_the_font() {
        let [shift] = shifts(&drawing("<tspan font-size='20' baseline-shift='sub'>2</tspan>"))[..] else {
            panic!("one subscript")
        };
        assert!(shift > -2.0, "browsers have -13.5: {shift}");
    }

    /// The shifts are those of the boxes in Chromium 156, whose lines have whole heights.
    #[test]
    fn shifts_are_those_of_browsers() {
        let element = |size: u32, shift: &str, contents: &str| {
            format!("<tspan font-size='{size}' baseline-shift='{shift}'>{contents}</tspan>")
        };
        for (contents, expected) in [
            (element(20, "super", "2"), &[13.5][..]),
            (element(20, "sub", "2"), &[-13.5]),
            (element(60, "super", "2"), &[41.0]),
            (element(40, "super", "2"), &[27.5]),
            (element(20, "super", &format!("2{}", element(10, "super", "3"))), &[13.5, 20.5]),
            (element(40, "sub", &format!("2{}", element(10, "sub", "3"))), &[-27.5, -34.5]),
            (element(20, "super", "2<tspan font-size='10'>3</tspan>"), &[13.5, 13.5]),
            (element(20, "sub", &format!("2{}", element(20, "super", "3"))), &[-13.5, 0.0]),
            (element(20, "50%", &format!("2{}", element(10, "super", "3"))), &[10.0, 17.0]),
            (element(20, "0.5em", &format!("2{}", element(20, "baseline", "3"))), &[10.0, 10.0]),
        ] {
            let shifts = shifts(&after_css(&drawing(&contents)).to_xml());
            let is_close = shifts.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.5);
            assert!(is_close && shifts.len() == expected.len(), "{shifts:?} {contents}");
        }
    }
}
