//! usvg 0.49 leaves out the `letter-spacing` after the last letter of a line.
//!
//! CSS Text 3 does not space the end of a line either, but browsers do, and their boxes include the
//! space. The box is corrected if every line ends with the same space. `passes::spaced_anchors`
//! moves the lines that depend on it.

use std::ops::RangeInclusive;

use kurbo::Rect;
use usvg::{Text, TextChunk, TextFlow, WritingMode};

/// The blocks of scripts that are written from right to left, or whose letters are connected and
/// not spaced in usvg.
const OTHER_SCRIPTS: [RangeInclusive<char>; 13] = [
    // Hebrew to Arabic, Devanagari to Gurmukhi, Ogham, and Mongolian.
    '\u{590}'..='\u{a7f}',
    '\u{1680}'..='\u{169f}',
    '\u{1800}'..='\u{18af}',
    // Marks that set the direction.
    '\u{200e}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2066}'..='\u{2069}',
    // Syloti Nagri, Phags-pa, and more of Devanagari.
    '\u{a800}'..='\u{a8ff}',
    // Forms of Hebrew and Arabic.
    '\u{fb1d}'..='\u{fdff}',
    '\u{fe70}'..='\u{fefc}',
    // Old scripts from right to left.
    '\u{10800}'..='\u{10fff}',
    // Sharada, Tirhuta, Modi, and more of Devanagari and Mongolian.
    '\u{11180}'..='\u{1167f}',
    '\u{11b00}'..='\u{11b5f}',
    '\u{1e800}'..='\u{1efff}',
];

/// The box of the cells of a text, with the spaces after the last letters. `cells` is the box
/// without these.
pub(crate) fn with_last_spaces(text: &Text, cells: Rect) -> Rect {
    let mut lines = text.chunks().iter();
    let Some(space) = lines.next().and_then(last_space) else { return cells };
    if !lines.all(|line| last_space(line) == Some(space)) {
        return cells;
    }
    match text.writing_mode() {
        WritingMode::LeftToRight => Rect { x1: cells.x1 + space, ..cells },
        WritingMode::TopToBottom => Rect { y1: cells.y1 + space, ..cells },
    }
}

/// The space after the last letter of a line. `None` if it is not known.
pub(crate) fn last_space(line: &TextChunk) -> Option<f64> {
    let span = line.spans().last()?;
    let is_plain = matches!(line.text_flow(), TextFlow::Linear) && span.text_length().is_none();
    let last = line.text().chars().last()?;
    (is_plain && is_spaced(last)).then(|| f64::from(span.letter_spacing()))
}

/// Whether a letter is spaced and written from left to right.
pub(crate) fn is_spaced(letter: char) -> bool {
    !OTHER_SCRIPTS.iter().any(|block| block.contains(&letter))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use usvg::{Node, Options, Tree};

    use super::*;
    use crate::geometry::rect;

    /// The boxes of a text, from usvg and corrected.
    fn boxes(attributes: &str, contents: &str) -> [Rect; 2] {
        let mut options = Options::default();
        Arc::make_mut(&mut options.fontdb).load_font_data(boxwood_assets::NOTO_SANS.to_vec());
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>
            <text x='50' y='50' font-family='Noto Sans' {attributes}>{contents}</text></svg>"
        );
        let tree = Tree::from_str(&svg, &options).expect("the drawing is valid");
        let [Node::Text(text)] = tree.root().children() else { panic!("one text") };
        let cells = rect(text.bounding_box());
        [cells, with_last_spaces(text, cells)]
    }

    #[test]
    fn usvg_still_leaves_the_last_space_out() {
        let [[plain, _], [spaced, _]] = ["", "letter-spacing='8'"].map(|attributes| boxes(attributes, "AB"));
        assert!((spaced.width() - plain.width() - 8.0).abs() < 1e-4, "browsers add 16");
    }

    #[test]
    fn the_last_space_is_at_the_end() {
        for anchor in ["start", "middle", "end"] {
            let [cells, corrected] = boxes(&format!("letter-spacing='8' text-anchor='{anchor}'"), "AB");
            assert_eq!([cells.x0 - corrected.x0, corrected.x1 - cells.x1], [0.0, 8.0], "{anchor}");
        }
        let [cells, corrected] = boxes("letter-spacing='8' writing-mode='tb'", "AB");
        assert_eq!([cells.y0 - corrected.y0, corrected.y1 - cells.y1], [0.0, 8.0]);
    }

    #[test]
    fn other_characters_than_letters_have_a_last_space() {
        for last in ['’', '…', '–', 'я'] {
            let [cells, corrected] = boxes("letter-spacing='8'", &format!("A{last}"));
            assert_eq!(corrected.x1 - cells.x1, 8.0, "{last}");
        }
        for last in ['\u{633}', '\u{915}', '\u{200f}'] {
            let [cells, corrected] = boxes("letter-spacing='8'", &format!("A{last}"));
            assert_eq!(corrected, cells, "{last}");
        }
    }

    #[test]
    fn lines_that_end_differently_stay() {
        let second_line = |attributes| format!("A<tspan x='50' y='80' {attributes}>B</tspan>");
        let corrected = |contents: &str| {
            let [cells, corrected] = boxes("letter-spacing='8'", contents);
            cells != corrected
        };
        assert!(corrected(&second_line("")));
        for different in ["letter-spacing='2'", "textLength='30'"] {
            assert!(!corrected(&second_line(different)), "{different}");
        }
        assert!(!corrected("A\u{5d0}"), "a line from right to left");
    }
}
