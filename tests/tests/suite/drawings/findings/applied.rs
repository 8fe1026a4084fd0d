//! A finding applied to the text of its drawing: without the element, the clip path or the group
//! that it reports.

use std::ops::Range;

use boxwood_svg::{Drawing, Finding, FindingKind, PaintStyle, Paints, Source, SourceKind, style};
use resvg::usvg::roxmltree::{Document, Node, ParsingOptions};

/// Replacements of ranges of a text, in any order.
type Edits = Vec<(Range<usize>, String)>;

/// Whether a finding is applied by removing its element.
pub(super) fn removes_element(kind: FindingKind) -> bool {
    use FindingKind::{ClippedAway, Covered, Empty, OffCanvas};
    matches!(kind, Empty | OffCanvas | ClippedAway | Covered)
}

/// The text of a drawing with some findings applied. `None` if that needs more than an edit of
/// elements that are in the document once: an entity, or the contents of a `use`.
pub(super) fn applied(drawing: &Drawing, text: &str, findings: &[&Finding]) -> Option<String> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).expect("the text of a drawing is XML");
    let mut edits = Edits::new();
    for finding in findings {
        edits.extend(edits_of(drawing, &document, finding)?);
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = text.to_owned();
    for (range, replacement) in edits.into_iter().rev() {
        result.replace_range(range, &replacement);
    }
    Some(result)
}

fn edits_of(drawing: &Drawing, document: &Document<'_>, finding: &Finding) -> Option<Edits> {
    let node = node_at(document, &finding.path)?;
    let position = document.text_pos_at(node.range().start);
    assert_eq!([position.row, position.col], [finding.line, finding.column], "{}", finding.path);
    match finding.kind {
        kind if removes_element(kind) => Some(vec![(node.range(), String::new())]),
        FindingKind::NeedlessClip => Some(vec![with_style(node, "clip-path:none!important;")]),
        FindingKind::NeedlessGroup if finding.reason.starts_with("has a blend mode") => {
            Some(vec![with_style(node, "mix-blend-mode:normal!important;")])
        }
        FindingKind::NeedlessGroup if finding.reason.starts_with("is isolated") => {
            Some(vec![with_style(node, "isolation:auto!important;")])
        }
        FindingKind::NeedlessGroup => with_opacity_on_leaves(drawing, document, finding),
        _ => None,
    }
}

/// The element with a path such as `/svg/g[2]/rect[1]`, unless it is from an entity.
fn node_at<'a, 'i>(document: &'a Document<'i>, path: &str) -> Option<Node<'a, 'i>> {
    let root = document.root_element();
    // The first segments are the empty one before the slash, and the root.
    let node = path.split('/').skip(2).try_fold(root, |parent, segment| {
        let (name, ordinal) = segment.split_once('[')?;
        let ordinal: usize = ordinal.strip_suffix(']')?.parse().ok()?;
        parent.children().filter(|child| child.tag_name().name() == name).nth(ordinal - 1)
    })?;
    let (range, around) = (node.range(), node.parent_element().unwrap_or(node).range());
    (around.start <= range.start && range.end <= around.end).then_some(node)
}

/// Adds declarations before the others of an element.
fn with_style(node: Node<'_, '_>, declarations: &str) -> (Range<usize>, String) {
    if let Some(style) = node.attribute_node("style") {
        let start = style.range_value().start;
        return (start..start, declarations.to_owned());
    }
    let range = node.range();
    let tag = &node.document().input_text()[range.clone()];
    let is_end = |c: char| c.is_whitespace() || c == '/' || c == '>';
    let end = range.start + tag.find(is_end).expect("a tag ends");
    (end..end, format!(" style=\"{declarations}\""))
}

/// The edits that give the opacity of a group to the fills and strokes in it.
fn with_opacity_on_leaves(drawing: &Drawing, document: &Document<'_>, finding: &Finding) -> Option<Edits> {
    let sources = &drawing.sources;
    let group = sources.iter().position(|source| source.path == finding.path)?;
    let opacity = style(drawing, u32::try_from(group).ok()?).opacity;
    let is_in_group = |index: usize| {
        let parent = |index: &usize| sources[*index].parent.map(|parent| parent as usize);
        std::iter::successors(Some(index), parent).any(|index| index == group)
    };
    let is_leaf = |source: &Source| matches!(source.kind, SourceKind::Path | SourceKind::Text);
    let mut styles: Vec<(Node<'_, '_>, String)> =
        vec![(node_at(document, &finding.path)?, "opacity:1!important;".to_owned())];
    for (index, source) in sources.iter().enumerate().filter(|(_, source)| is_leaf(source)) {
        if !is_in_group(index) {
            continue;
        }
        let node = node_at(document, &source.path)?;
        let style = style(drawing, u32::try_from(index).ok()?);
        let [paints] = &style.paints[..] else { return None };
        let declarations = declarations(paints, opacity);
        for part in node.descendants().filter(Node::is_element) {
            match styles.iter_mut().find(|(other, _)| *other == part) {
                Some((_, style)) => style.push_str(&declarations),
                None => styles.push((part, declarations.clone())),
            }
        }
    }
    Some(styles.into_iter().map(|(node, declarations)| with_style(node, &declarations)).collect())
}

/// The properties that paint the same with an opacity.
fn declarations(paints: &Paints, opacity: f32) -> String {
    let fill = paints.fill.as_ref().map(|fill| ("fill", &fill.paint, fill.opacity));
    let stroke = paints.stroke.as_ref().map(|stroke| ("stroke", &stroke.paint, stroke.opacity));
    let mut all = String::new();
    for (property, paint, own) in fill.into_iter().chain(stroke) {
        // The opacity of a colour is in the opacity of the paint.
        if let PaintStyle::Color([red, green, blue]) = paint {
            all += &format!("{property}:rgb({red},{green},{blue})!important;");
        }
        all += &format!("{property}-opacity:{}!important;", own * opacity);
    }
    all
}
