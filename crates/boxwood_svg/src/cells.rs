//! The box of the cells of a text's glyphs.

use kurbo::Rect;
use usvg::{LengthAdjust, Text, TextFlow, TextSpan, WritingMode};

/// The box of the cells of all glyphs, in the space of the text.
pub(crate) fn cells_box(text: &Text) -> Rect {
    let cells = text.bounding_box();
    let [x0, y0, x1, y1] = [cells.left(), cells.top(), cells.right(), cells.bottom()].map(f64::from);
    Rect::new(x0, y0, spaced_width(text).map_or(x1, |width| x0 + width), y1)
}

/// The `textLength` of a text that it spaces out or in as a whole.
///
/// SVG 2 (section 11.5, "Text layout algorithm", step 5) puts the space between the glyphs, so that the text is as wide as it
/// says. usvg has a space after the last one as well. Said only where a glyph certainly is a letter: of one line of ASCII.
fn spaced_width(text: &Text) -> Option<f64> {
    let [chunk] = text.chunks() else { return None };
    let [span] = chunk.spans() else { return None };
    let n_glyphs: usize = text.layouted().iter().map(|span| span.positioned_glyphs.len()).sum();
    let is_plain = text.writing_mode() == WritingMode::LeftToRight
        && matches!(chunk.text_flow(), TextFlow::Linear)
        && [text.dx(), text.dy(), text.rotate()]
            .iter()
            .all(|shifts| shifts.iter().all(|shift| *shift == 0.0))
        && chunk.text().is_ascii()
        && n_glyphs == chunk.text().len()
        && n_glyphs > 1;
    length_by_spacing(span).filter(|_| is_plain)
}

fn length_by_spacing(span: &TextSpan) -> Option<f64> {
    let length = span.text_length().filter(|_| span.length_adjust() == LengthAdjust::Spacing);
    length.map(f64::from)
}
