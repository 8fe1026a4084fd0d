//! usvg 0.49 adds the space of `textLength` after the last glyph of a text too, so its box is too
//! wide.
//!
//! SVG 2 (section 11.5, "Text layout algorithm", step 5) adds space only between glyphs, so the
//! text is as wide as `textLength` says. The box is corrected only if each letter is certainly one
//! glyph: in one line of ASCII in one style.

use kurbo::Rect;
use usvg::{LengthAdjust, Text, TextFlow, WritingMode};

use crate::geometry::rect;

/// The box of the cells of all glyphs, in the space of the text.
pub(crate) fn cells_box(text: &Text) -> Rect {
    let cells = rect(text.bounding_box());
    let x1 = spaced_width(text).map_or(cells.x1, |width| cells.x0 + width);
    Rect { x1, ..cells }
}

/// The `textLength` of a text, if it adds or removes space and the box of the text can be
/// corrected.
fn spaced_width(text: &Text) -> Option<f64> {
    let [chunk] = text.chunks() else { return None };
    let [span] = chunk.spans() else { return None };
    #[cfg(feature = "text")]
    let n_glyphs: usize = text.layouted().iter().map(|span| span.positioned_glyphs.len()).sum();
    // usvg has no texts in its tree.
    #[cfg(not(feature = "text"))]
    let n_glyphs = 0;
    let is_plain = text.writing_mode() == WritingMode::LeftToRight
        && matches!(chunk.text_flow(), TextFlow::Linear)
        && [text.dx(), text.dy(), text.rotate()].into_iter().flatten().all(|shift| *shift == 0.0)
        && chunk.text().is_ascii()
        && n_glyphs == chunk.text().len()
        && n_glyphs > 1;
    let adds_space = span.length_adjust() == LengthAdjust::Spacing;
    span.text_length().filter(|_| is_plain && adds_space).map(f64::from)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use usvg::{Node, Options, Tree};

    #[test]
    fn usvg_still_adds_space_after_the_last_glyph() {
        let mut options = Options::default();
        Arc::make_mut(&mut options.fontdb).load_font_data(boxwood_assets::NOTO_SANS.to_vec());
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>
            <text y='50' font-family='Noto Sans' textLength='80'>AB</text></svg>";
        let tree = Tree::from_str(svg, &options).expect("the drawing is valid");
        let [Node::Text(text)] = tree.root().children() else { panic!("one text") };
        assert!(text.bounding_box().width() > 100.0, "SVG makes it 80 wide");
    }
}
