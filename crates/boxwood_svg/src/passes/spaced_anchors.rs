//! usvg 0.49 leaves out the `letter-spacing` after the last letter of a line when it places the
//! line by `text-anchor`.
//!
//! CSS Text 3 does not space the end of a line either, but browsers do. So the first letter of each
//! line is moved backwards, by `dx`, or by `dy` in vertical texts. `quirks::letter_spacing` adds
//! the space to the boxes.
//!
//! usvg also leaves out the letters that a negative space is wider than. Browsers draw them, each
//! to the left of the one before. A space that may be so wide is reported.

use std::ops::Range;

use crate::css::sizes::{LengthAxis, Sizes};
use crate::css::values::{Units, evaluate, split};
use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::quirks::letter_spacing::is_spaced;
use crate::xml::is_in_text;

const SPACING: &str = "letter-spacing";

/// The width of a narrow letter such as `i`, relative to the font size.
const NARROW: f64 = 0.2;

/// What is ignored if a letter is narrower than its space.
const IGNORED: &str = "a negative `letter-spacing` that may be wider than a letter";

/// Moves the lines with spaced letters that do not start at their anchors.
pub(crate) fn move_lines(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    if !document.elements().any(|node| node.has_attribute(SPACING)) {
        return Ok(());
    }
    let sizes = Sizes::of_document(document, tools.measure);
    let is_tight = |node: &Node<'_>| {
        let font_size = || sizes.units(*node, LengthAxis::Diagonal).font_size();
        is_in_text(*node) && spacing(*node, &sizes).is_some_and(|space| space < -NARROW * font_size())
    };
    let tight: Vec<_> = document.elements().filter(is_tight).collect();
    tools.ignore(&tight, IGNORED);
    let is_anchored = |node: Node<'_>| node.attribute("text-anchor").is_some_and(|anchor| anchor != "start");
    if !document.elements().any(is_anchored) {
        return Ok(());
    }
    let texts = document.elements().filter(|node| node.has_tag("text") && is_simple(*node));
    let moved = texts.filter_map(|node| {
        let axes = if is_vertical(node) { ["y", "x"] } else { ["x", "y"] };
        Some((node.id(), shift_along(axes[0]), shifts(node, axes, &sizes)?))
    });
    let moved: Vec<_> = moved.collect();
    for (id, name, shifts) in moved {
        let parts: Vec<_> = document.node(id).descendants().skip(1).map(|part| part.id()).collect();
        parts.into_iter().for_each(|part| document.remove_attribute(part, name));
        let shifts: Vec<_> = shifts.iter().map(f64::to_string).collect();
        document.set_attribute(id, name, shifts.join(" "));
    }
    Ok(())
}

/// Whether the lines of a text are not on paths and go from left to right or from top to bottom,
/// with the letters that the document has.
fn is_simple(text: Node<'_>) -> bool {
    let is_simple_part = |part: Node<'_>| match part.text() {
        Some(letters) => letters.chars().all(is_spaced),
        None => {
            matches!(part.tag(), "text" | "tspan")
                && !part.has_attribute("textLength")
                && part.attribute("display") != Some("none")
        }
    };
    text.inherited("direction") != Some("rtl") && text.descendants().all(is_simple_part)
}

fn is_vertical(text: Node<'_>) -> bool {
    let mode = text.inherited("writing-mode");
    mode.is_some_and(|mode| matches!(mode, "tb" | "tb-rl" | "vertical-rl" | "vertical-lr"))
}

/// The attribute for shifts along an axis.
fn shift_along(axis: &str) -> &'static str {
    if axis == "x" { "dx" } else { "dy" }
}

/// A letter of a text.
struct Letter<'d> {
    /// The element around it.
    element: Node<'d>,
    /// Whether it has a place along the line, and across.
    is_placed: [bool; 2],
    /// Its shift along the line.
    shift: f64,
}

/// The shift of each letter of a text along its line. `None` if no line moves, or if a line after
/// the first one starts where the one before ends.
fn shifts(text: Node<'_>, axes: [&str; 2], sizes: &Sizes<'_>) -> Option<Vec<f64>> {
    let mut letters = letters(text, axes, sizes)?;
    let is_start = |at: &usize| *at == 0 || letters[*at].is_placed != [false; 2];
    let starts: Vec<_> = (0..letters.len()).filter(is_start).collect();
    let mut is_moved = false;
    for (i, first) in starts.iter().enumerate() {
        if *first > 0 && !letters[*first].is_placed[0] {
            return None;
        }
        let after = starts.get(i + 1).copied().unwrap_or(letters.len());
        let space = spacing(letters[after - 1].element, sizes)?;
        let before = match letters[*first].element.inherited("text-anchor") {
            Some("middle") => 0.5 * space,
            Some("end") => space,
            _ => 0.0,
        };
        letters[*first].shift -= before;
        is_moved |= before != 0.0;
    }
    is_moved.then(|| letters.into_iter().map(|letter| letter.shift).collect())
}

/// The letters of a text. `None` if a length is invalid.
fn letters<'d>(text: Node<'d>, [along, across]: [&str; 2], sizes: &Sizes<'_>) -> Option<Vec<Letter<'d>>> {
    let mut letters: Vec<Letter<'d>> = Vec::new();
    // The elements with the indices of their letters, and those that are open, in document order.
    let mut elements: Vec<(Node<'d>, Range<usize>)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for node in text.descendants() {
        let end = letters.len();
        while let Some(closed) = open.pop_if(|last| Some(elements[*last].0) != node.parent()) {
            elements[closed].1.end = end;
        }
        if let Some(characters) = node.text() {
            let element = node.parent()?;
            letters.extend(characters.chars().map(|_| Letter { element, is_placed: [false; 2], shift: 0.0 }));
        } else {
            open.push(elements.len());
            elements.push((node, end..end));
        }
    }
    open.into_iter().for_each(|last| elements[last].1.end = letters.len());
    for (element, range) in elements {
        let placed = [list(element, along, sizes)?.len(), list(element, across, sizes)?.len()];
        let shifts = list(element, shift_along(along), sizes)?;
        for (i, letter) in letters[range].iter_mut().enumerate() {
            letter.is_placed = [0, 1].map(|axis| letter.is_placed[axis] || i < placed[axis]);
            letter.shift = shifts.get(i).copied().unwrap_or(letter.shift);
        }
    }
    Some(letters)
}

/// The lengths of an attribute in px. `None` if one is invalid.
fn list(element: Node<'_>, name: &str, sizes: &Sizes<'_>) -> Option<Vec<f64>> {
    let units = sizes.units(element, LengthAxis::of(name));
    let text = element.attribute(name).unwrap_or_default();
    let lengths = split(text, |c| c.is_whitespace() || c == ',').into_iter();
    lengths.map(|length| Some(units.px(evaluate(length, &units)?))).collect()
}

/// The `letter-spacing` of an element in px. `None` if it is invalid.
fn spacing(element: Node<'_>, sizes: &Sizes<'_>) -> Option<f64> {
    let is_declared =
        |node: &Node<'_>| node.attribute(SPACING).is_some_and(|value| value.trim() != "inherit");
    let Some(declaring) = element.ancestors().find(is_declared) else { return Some(0.0) };
    let (units, value) = (sizes.units(declaring, LengthAxis::Diagonal), declaring.attribute(SPACING)?.trim());
    if value == "normal" { Some(0.0) } else { Some(units.px(evaluate(value, &units)?)) }
}

#[cfg(test)]
mod tests {
    use usvg::{Node as UsvgNode, Options, Tree};

    use super::*;
    use crate::passes::testing::{after, contents_after, fonts};

    fn left(xml: &str) -> f32 {
        let options = Options { fontdb: fonts(), ..Options::default() };
        let tree = Tree::from_str(xml, &options).expect("the drawing is valid");
        let [UsvgNode::Text(text)] = tree.root().children() else { panic!("one text") };
        text.bounding_box().left()
    }

    #[test]
    fn usvg_still_leaves_out_the_last_space_of_an_anchored_line() {
        let of = |spacing: &str| {
            left(&format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
                <text x='100' text-anchor='end' font-size='20' letter-spacing='{spacing}'>ABC</text></svg>"
            ))
        };
        assert!((of("0") - of("10") - 20.0).abs() < 1e-3, "browsers move it by 30");
    }

    /// The text after the pass, in a drawing with a font size and a spacing of 10.
    fn moved(text: &str) -> String {
        let svg = format!("<svg width='9' height='9' font-size='10' letter-spacing='10'>{text}</svg>");
        contents_after(move_lines, &svg)
    }

    /// The shifts are the differences between the ink in usvg and in Chromium 156.
    #[test]
    fn lines_move_as_in_browsers() {
        for (attributes, contents, expected) in [
            ("text-anchor=\"middle\"", "ABC", "dx=\"-5 0 0\""),
            ("text-anchor=\"end\"", "ABC", "dx=\"-10 0 0\""),
            ("text-anchor=\"middle\" dx=\"5\"", "ABC", "dx=\"0 0 0\""),
            ("text-anchor=\"middle\" letter-spacing=\"-4\"", "AB", "dx=\"2 0\""),
            ("text-anchor=\"middle\" letter-spacing=\"0.5em\"", "AB", "dx=\"-2.5 0\""),
            ("text-anchor=\"end\" x=\"50 100\"", "ABC", "dx=\"-10 -10 0\""),
            ("text-anchor=\"middle\" writing-mode=\"tb\"", "ABC", "dy=\"-5 0 0\""),
        ] {
            let moved = moved(&format!("<text {attributes}>{contents}</text>"));
            assert!(moved.contains(expected), "{moved}");
        }
    }

    #[test]
    fn each_line_has_the_space_of_its_last_letter() {
        let line = |attributes: &str| format!("<tspan {attributes}>CD</tspan>");
        for (contents, expected) in [
            (line("letter-spacing='2'"), "-1 0 0 0"),
            (line("x='50'"), "-5 0 -5 0"),
            (line("x='50' text-anchor='end' dx='3 4'"), "-5 0 -7 4"),
            (line("x='50' text-anchor='start'"), "-5 0 0 0"),
        ] {
            let moved = moved(&format!("<text text-anchor='middle'>AB{contents}</text>"));
            assert!(
                moved.starts_with(&format!("<text text-anchor=\"middle\" dx=\"{expected}\">")),
                "{moved}"
            );
            assert_eq!(moved.matches("dx").count(), 1, "{moved}");
        }
    }

    #[test]
    fn uncertain_lines_stay() {
        for text in [
            "<text>ABC</text>",
            "<text text-anchor=\"end\" letter-spacing=\"normal\">ABC</text>",
            "<text text-anchor=\"end\">ABC\u{5d0}</text>",
            "<text text-anchor=\"end\" direction=\"rtl\">ABC</text>",
            "<text text-anchor=\"end\" textLength=\"90\">ABC</text>",
            "<text text-anchor=\"end\">AB<tspan y=\"50\">CD</tspan></text>",
            "<text text-anchor=\"end\"><textPath href=\"#a\">CD</textPath></text>",
        ] {
            assert_eq!(moved(text), text);
        }
    }

    #[test]
    fn a_space_that_may_hide_letters_is_reported() {
        for (attributes, n_warnings) in [
            ("letter-spacing='-4'", 1),
            ("letter-spacing='-0.3em'", 1),
            ("letter-spacing='-1'", 0),
            ("letter-spacing='-4' font-size='30'", 0),
        ] {
            let svg = format!("<svg font-size='10'><g {attributes}><text>iii</text><rect/></g></svg>");
            assert_eq!(after(move_lines, &svg).1, n_warnings, "{attributes}");
        }
    }

    #[test]
    fn usvg_still_leaves_out_letters() {
        let width = |spacing: &str| {
            let svg = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
                <text font-size='24' letter-spacing='{spacing}'>Text</text></svg>"
            );
            let options = Options { fontdb: fonts(), ..Options::default() };
            let tree = Tree::from_str(&svg, &options).expect("the drawing is valid");
            tree.root().bounding_box().width()
        };
        assert!(width("0") > 40.0 && width("-20") < 20.0, "browsers draw 36 px of it");
    }
}
