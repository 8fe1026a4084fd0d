//! usvg 0.49 leaves out the `letter-spacing` after the last letter of a line.
//!
//! CSS Text 3 does not space the end of a line either, but browsers do, and their boxes include the
//! space. The box is corrected if every line ends with the same space and has the same anchor. The
//! picture stays.

use std::ops::RangeInclusive;

use kurbo::Rect;
use usvg::{Text, TextAnchor, TextChunk, TextFlow, WritingMode};

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
    let Some(first) = lines.next().filter(|first| lines.all(|line| has_same_end(line, first))) else {
        return cells;
    };
    let Some((space, before)) = last_space(first) else { return cells };
    match text.writing_mode() {
        WritingMode::LeftToRight => {
            Rect::new(cells.x0 - before, cells.y0, cells.x1 + space - before, cells.y1)
        }
        WritingMode::TopToBottom => {
            Rect::new(cells.x0, cells.y0 - before, cells.x1, cells.y1 + space - before)
        }
    }
}

/// Whether lines end with the same space and have the same anchor.
fn has_same_end(line: &TextChunk, other: &TextChunk) -> bool {
    line.anchor() == other.anchor() && last_space(line) == last_space(other)
}

/// The space after the last letter of a line, and how far it moves the line backwards. `None` if it
/// is not known.
pub(crate) fn last_space(line: &TextChunk) -> Option<(f64, f64)> {
    let span = line.spans().last()?;
    let is_plain = matches!(line.text_flow(), TextFlow::Linear) && span.text_length().is_none();
    let last = line.text().chars().last()?;
    let space = f64::from(span.letter_spacing());
    let before = match line.anchor() {
        TextAnchor::Start => 0.0,
        TextAnchor::Middle => 0.5 * space,
        TextAnchor::End => space,
    };
    let is_spaced = !OTHER_SCRIPTS.iter().any(|block| block.contains(&last));
    (is_plain && is_spaced).then_some((space, before))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use usvg::{Node, Options, Tree};

    use super::*;

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
        let r = text.bounding_box();
        let [x0, y0, x1, y1] = [r.left(), r.top(), r.right(), r.bottom()].map(f64::from);
        let cells = Rect::new(x0, y0, x1, y1);
        [cells, with_last_spaces(text, cells)]
    }

    #[test]
    fn usvg_still_leaves_the_last_space_out() {
        let [[plain, _], [spaced, _]] = ["", "letter-spacing='8'"].map(|attributes| boxes(attributes, "AB"));
        assert!((spaced.width() - plain.width() - 8.0).abs() < 1e-4, "browsers add 16");
    }

    #[test]
    fn the_last_space_moves_a_text_that_is_anchored_elsewhere() {
        for (anchor, [left, right]) in [("start", [0.0, 8.0]), ("middle", [4.0, 4.0]), ("end", [8.0, 0.0])] {
            let [cells, corrected] = boxes(&format!("letter-spacing='8' text-anchor='{anchor}'"), "AB");
            assert_eq!([cells.x0 - corrected.x0, corrected.x1 - cells.x1], [left, right], "{anchor}");
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
        for different in ["letter-spacing='2'", "text-anchor='end'", "textLength='30'"] {
            assert!(!corrected(&second_line(different)), "{different}");
        }
        assert!(!corrected("A\u{5d0}"), "a line from right to left");
    }
}
