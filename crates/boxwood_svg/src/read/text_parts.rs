//! The boxes and the paths of parts of texts, such as `tspan`. usvg does not keep these elements.
//!
//! A drawing whose texts have parts is parsed once more, with two marks on each part: a fill that
//! names the element, and an overline. usvg keeps the fill of each run of glyphs. Its
//! overline is as long as the advances of the glyphs, and at their ascent. Shapes, images, and
//! other texts are not displayed there, so this costs little more than the layout of these texts.
//!
//! Their object boxes are left out, but not their paths, if the overline is not long enough:
//!
//! - A run of glyphs is only partly on its path, or only partly rotated.
//! - The text is vertical and not ASCII.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kurbo::{Point, Rect, Vec2};
use ttf_parser::Face;
use usvg::fontdb::Database;
use usvg::layout::Span;
use usvg::{
    Fill, Font, FontResolver, Group, LengthAdjust, Node, Paint, Path, Text, TextChunk, TextFlow, TextSpan,
    Tree, WritingMode,
};

use crate::dom::{self, Document};
use crate::geometry::{rect, union};
use crate::guard::thread;
use crate::quirks::letter_spacing::last_space;
use crate::read::elements::{Element, Elements};
use crate::table::TextPart;
use crate::xml::TEXT_PARTS;

/// The elements with this index or a higher one have no mark. A mark is a colour with 8 bits per
/// channel.
const END_OF_MARKS: u32 = 1 << 24;

/// The elements that are not displayed in the marked document, besides texts without parts.
const OTHERS: [&str; 9] =
    ["circle", "ellipse", "image", "line", "path", "polygon", "polyline", "rect", "use"];

/// A document whose parts of texts are marked.
pub(crate) struct Marked {
    document: Document,
    /// The numbers of the texts whose parts are marked.
    texts: HashSet<u32>,
}

/// Marks all parts of texts in a document. `None` if there are none.
pub(crate) fn marked(document: &Document) -> Option<Marked> {
    let is_text = |node: &dom::Node<'_>| node.has_tag("text");
    if !document.elements().any(|node| is_text(&node) && has_parts(node)) {
        return None;
    }
    let (mut marked, mut texts) = (document.clone(), HashSet::new());
    for node in document.elements() {
        if is_text(&node) && has_parts(node) {
            texts.extend(node.number());
            for part in node.descendants() {
                let Some(number) = part.number() else { continue };
                let decoration = if part == node { "none" } else { "overline" };
                marked.set_attribute(part.id(), "fill", format!("#{number:06x}"));
                marked.set_attribute(part.id(), "text-decoration", decoration);
            }
        } else if is_text(&node) || OTHERS.contains(&node.tag()) && !is_in_effect(node) {
            marked.set_attribute(node.id(), "display", "none");
        }
    }
    Some(Marked { document: marked, texts })
}

/// Whether an element is in a clip path or mask. usvg leaves out texts with empty ones.
fn is_in_effect(node: dom::Node<'_>) -> bool {
    node.ancestors().any(|around| matches!(around.tag(), "clipPath" | "mask"))
}

/// Whether a text has parts, all of which can be marked.
fn has_parts(text: dom::Node<'_>) -> bool {
    let has_mark = |node: dom::Node<'_>| node.number().is_none_or(|number| number < END_OF_MARKS);
    let mut inside = text.descendants().skip(1);
    inside.clone().any(|node| TEXT_PARTS.contains(&node.tag())) && inside.all(has_mark)
}

fn is_part(element: &Element) -> bool {
    TEXT_PARTS.contains(&&*element.tag)
}

/// What is known of the parts of texts.
#[derive(Default)]
pub(crate) struct Parts {
    /// The parts with characters, by the indices of their elements.
    pub(crate) parts: HashMap<u32, TextPart>,
    /// For the address of each path of a drawn text, the index of the innermost element that the
    /// path belongs to.
    pub(crate) of_paths: HashMap<usize, u32>,
}

/// The parts of the texts that are marked. `drawn` is the tree without marks.
pub(crate) fn parts(
    marked: &Marked,
    drawn: &Tree,
    parse: impl Fn(&Document) -> Option<Tree>,
    elements: &Elements,
    font_resolver: &FontResolver<'_>,
) -> Parts {
    // With debug assertions, usvg panics at the overline of a combining character alone.
    let Ok(Some(tree)) = thread::caught(|| parse(&marked.document)) else { return Parts::default() };
    let mut fonts =
        Fonts { resolver: font_resolver, used: Arc::clone(tree.fontdb()), heights: HashMap::new() };
    let (mut parts, mut texts, mut drawn_texts) = (Parts::default(), Vec::new(), Vec::new());
    list_texts(tree.root(), &mut texts);
    list_texts(drawn.root(), &mut drawn_texts);
    let mut drawn_by_id: HashMap<&str, Vec<&Text>> = HashMap::new();
    drawn_texts.into_iter().for_each(|text| drawn_by_id.entry(text.id()).or_default().push(text));
    for text in texts {
        let index = elements.with_id(text.id()).filter(|index| marked.texts.contains(index));
        let Some(index) = index else { continue };
        let drawn = drawn_by_id.get(text.id()).into_iter().flatten();
        let of_paths: Option<Vec<_>> = drawn.map(|drawn| marks_of_paths(drawn, text)).collect();
        let has_paths = of_paths.is_some();
        // The part that an element is or is inside of, with those around it.
        let around = |element: u32| {
            let around = std::iter::once(element).chain(elements.around(element));
            around.take_while(|around| *around > index).filter(|around| is_part(elements.get(*around)))
        };
        for (path, element) in of_paths.into_iter().flatten().flatten() {
            parts.of_paths.insert(path, element);
            for part in around(element) {
                parts.parts.entry(part).or_insert(TextPart { cells: None, strokes: None, has_paths });
            }
        }
        // The boxes are those of the original, whose copies may have other fonts.
        if elements.node_with_id(text.id()).is_some_and(|node| elements.is_copy(node)) {
            continue;
        }
        let mut boxes: HashMap<u32, Option<TextPart>> = HashMap::new();
        for (mark, run) in runs(text, &mut fonts).unwrap_or_default() {
            for part in around(mark) {
                let whole = boxes.entry(part).or_insert(Some(TextPart::default()));
                // The box is known if that of each run is.
                *whole = whole.zip(run).map(|(whole, run)| merged(whole, run));
            }
        }
        let boxes = boxes.into_iter().filter_map(|(part, whole)| Some((part, whole?)));
        let boxes = boxes.filter(|(_, whole)| whole.cells.is_some());
        parts.parts.extend(boxes.map(|(part, whole)| (part, TextPart { has_paths, ..whole })));
    }
    parts
}

fn merged(a: TextPart, b: TextPart) -> TextPart {
    TextPart { cells: union(a.cells, b.cells), strokes: union(a.strokes, b.strokes), ..a }
}

fn list_texts<'t>(group: &'t Group, texts: &mut Vec<&'t Text>) {
    for node in group.children() {
        match node {
            Node::Group(group) => list_texts(group, texts),
            Node::Text(text) => texts.push(text),
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}

/// The address and the mark of each path of a text. `marked` is the same text with marks. `None` if
/// the paths of both do not correspond, or if there are glyphs with colours of their own.
fn marks_of_paths(drawn: &Text, marked: &Text) -> Option<Vec<(usize, u32)>> {
    let [lines, marked_lines] = [drawn, marked].map(lines);
    let glyphs = glyph_paths(drawn, &lines)?;
    let marked_glyphs = glyph_paths(marked, &marked_lines)?;
    if glyphs.len() != marked_glyphs.len() || drawn.layouted().len() != marked.layouted().len() {
        return None;
    }
    let address = |path: &Path| std::ptr::from_ref(path).addr();
    let of_glyphs = glyphs.into_iter().zip(marked_glyphs);
    let of_glyphs = of_glyphs.filter_map(|(path, marked)| Some((address(path), mark(marked.fill())?)));
    let of_lines = drawn.flattened().children().iter().filter_map(|node| {
        let Node::Path(path) = node else { return None };
        let span = &marked.layouted()[*lines.get(&data_address(path))?];
        Some((address(path), mark(span.fill.as_ref())?))
    });
    Some(of_glyphs.chain(of_lines).collect())
}

/// The run of glyphs of each line over, under, or through a text, by the address of its data.
pub(crate) fn lines(text: &Text) -> HashMap<usize, usize> {
    let of_span = |(index, span): (usize, &Span)| {
        let lines = [&span.overline, &span.underline, &span.line_through];
        lines.map(|line| Some((data_address(line.as_ref()?), index)))
    };
    text.layouted().iter().enumerate().flat_map(of_span).flatten().collect()
}

fn data_address(path: &Path) -> usize {
    std::ptr::from_ref(path.data()).addr()
}

/// The paths of the glyphs of a text, without its lines. `None` if there are glyphs with colours.
pub(crate) fn glyph_paths<'t>(text: &'t Text, lines: &HashMap<usize, usize>) -> Option<Vec<&'t Path>> {
    let path = |node: &'t Node| if let Node::Path(path) = node { Some(&**path) } else { None };
    let paths: Option<Vec<&Path>> = text.flattened().children().iter().map(path).collect();
    Some(paths?.into_iter().filter(|path| !lines.contains_key(&data_address(path))).collect())
}

/// The runs of glyphs in a text, each with its mark. A box is `None` if it is not known.
fn runs(text: &Text, fonts: &mut Fonts<'_>) -> Option<Vec<(u32, Option<TextPart>)>> {
    let of_line = |line: &'_ TextChunk| line.spans().len();
    let n_spans: usize = text.chunks().iter().map(of_line).sum();
    let is_vertical = text.writing_mode() == WritingMode::TopToBottom;
    let is_known = !is_vertical || text.chunks().iter().all(|line| line.text().is_ascii());
    // usvg leaves out the spans of a line without glyphs.
    if n_spans != text.layouted().len() || !is_known {
        return None;
    }
    let strokes = strokes(text);
    let (mut runs, mut laid_out, mut first) = (Vec::new(), text.layouted().iter(), 0);
    for line in text.chunks() {
        let space = last_space(line).unwrap_or_default();
        for (i, span) in line.spans().iter().enumerate() {
            let laid_out = laid_out.next()?;
            let characters = &line.text()[span.start()..span.end()];
            let after = first + characters.chars().count();
            let rotations = text.rotate().get(first..after)?;
            first = after;
            let Some(mark) = mark(span.fill()) else { continue };
            let is_known = is_whole_run(line, characters, laid_out) && is_evenly_rotated(rotations);
            let run = fonts.heights(span).filter(|_| is_known).map(|heights| {
                let mut strips = strips(laid_out);
                cut_last_space(span, laid_out, &mut strips);
                if i + 1 == line.spans().len() {
                    strips.last_mut().into_iter().for_each(|strip| strip.lengthen(space));
                }
                let cells = strips.iter().map(|strip| Some(strip.cells(heights, is_vertical)));
                let strokes = strokes.get(&mark).copied();
                TextPart { cells: cells.fold(None, union), strokes, ..TextPart::default() }
            });
            runs.push((mark, run));
        }
    }
    Some(runs)
}

/// The index of the element that a fill marks.
fn mark(fill: Option<&Fill>) -> Option<u32> {
    match fill?.paint() {
        Paint::Color(color) => Some(u32::from_be_bytes([0, color.red, color.green, color.blue])),
        _ => None,
    }
}

/// Whether no glyph of a run is beyond the end of a path.
fn is_whole_run(line: &TextChunk, characters: &str, laid_out: &Span) -> bool {
    let visible: usize = laid_out.positioned_glyphs.iter().map(|glyph| glyph.text.len()).sum();
    matches!(line.text_flow(), TextFlow::Linear) || visible == characters.len()
}

/// Whether usvg has an overline for each glyph if some are rotated.
fn is_evenly_rotated(rotations: &[f32]) -> bool {
    rotations.iter().all(|angle| *angle == 0.0) || rotations.iter().all(|angle| *angle != 0.0)
}

/// The middle line of a part of an overline.
struct Strip {
    start: Point,
    along: Vec2,
    /// The direction to the baseline, with a length of one.
    down: Vec2,
}

impl Strip {
    fn lengthen(&mut self, length: f64) {
        self.along += self.along.normalize() * length;
    }

    /// The box of the cells. usvg has the overline of a vertical text in the middle of the cells,
    /// as if the baseline were there.
    fn cells(&self, [ascent, descent]: [f64; 2], is_vertical: bool) -> Rect {
        let height = ascent - descent;
        let top = if is_vertical { 0.5 * height - ascent } else { 0.0 };
        let corners = |down: f64| {
            let left = self.start + self.down * down;
            Rect::from_points(left, left + self.along)
        };
        corners(top).union(corners(top + height))
    }
}

/// The parts of the overline of a run.
fn strips(laid_out: &Span) -> Vec<Strip> {
    let points = laid_out.overline.as_ref().map_or(&[][..], |overline| overline.data().points());
    let rectangles = points.chunks_exact(4).map(|corners| {
        let [a, b, _, d] = [0, 1, 2, 3].map(|i| Point::new(corners[i].x.into(), corners[i].y.into()));
        Strip { start: a.midpoint(d), along: b - a, down: (d - a).normalize() }
    });
    rectangles.collect()
}

/// Removes the space of `textLength` after the last glyph.
fn cut_last_space(span: &TextSpan, laid_out: &Span, strips: &mut [Strip]) {
    let length: f64 = strips.iter().map(|strip| strip.along.length()).sum();
    let is_spaced = span.length_adjust() == LengthAdjust::Spacing && laid_out.positioned_glyphs.len() > 1;
    if let (Some(expected), Some(last)) = (span.text_length().filter(|_| is_spaced), strips.last_mut()) {
        last.lengthen(f64::from(expected) - length);
    }
}

/// The boxes of the stroked glyphs with each mark.
fn strokes(text: &Text) -> HashMap<u32, Rect> {
    let (mut strokes, lines): (HashMap<u32, Rect>, _) = (HashMap::new(), lines(text));
    for node in text.flattened().children() {
        let Node::Path(path) = node else { continue };
        let is_stroked = path.stroke().is_some() && !lines.contains_key(&data_address(path));
        let Some(mark) = mark(path.fill()).filter(|_| is_stroked) else { continue };
        let stroke = rect(path.stroke_bounding_box());
        strokes.entry(mark).and_modify(|whole| *whole = whole.union(stroke)).or_insert(stroke);
    }
    strokes
}

/// The fonts of the parts.
struct Fonts<'o> {
    resolver: &'o FontResolver<'o>,
    used: Arc<Database>,
    /// The ascent and the descent of each font, in ems.
    heights: HashMap<Font, Option<[f64; 2]>>,
}

impl Fonts<'_> {
    /// The ascent and the descent of a run. Characters from other fonts have the same, as CSS
    /// Inline 3 says.
    fn heights(&mut self, span: &TextSpan) -> Option<[f64; 2]> {
        let Self { resolver, used, heights } = self;
        let heights = heights.entry(span.font().clone()).or_insert_with(|| {
            let id = (resolver.select_font)(span.font(), used)?;
            let heights = |data: &[u8], index| {
                let face = Face::parse(data, index).ok()?;
                let em = f64::from(face.units_per_em());
                Some([face.ascender(), face.descender()].map(|height| f64::from(height) / em))
            };
            used.with_face_data(id, heights).flatten()
        });
        heights.map(|heights| heights.map(|height| height * f64::from(span.font_size().get())))
    }
}
