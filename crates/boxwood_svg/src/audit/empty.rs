//! Elements that paint nothing.

use std::collections::BTreeSet;

use crate::dom::Node;

use crate::audit::{Audit, Finding, FindingKind, Found};
use crate::no_box::{NoBox, Unlisted};
use crate::table::SourceKind;
use crate::xml::{MARKED, MARKERS, TEXT_PARTS};

impl Audit<'_> {
    /// Finds elements without size, paint or contents. A group stands for everything inside of it.
    ///
    /// Elements that are hidden by `display` or `visibility` are not among them: scripts and style
    /// sheets show and hide elements by these.
    pub(super) fn empty(&self, findings: &mut Vec<Found>) {
        let invisible = self.invisible();
        // An element is followed by those inside of it.
        let mut at = 0;
        while let Some((index, element)) = invisible.get(at) {
            let end = self.drawing.document.end(*index);
            let n_inside = invisible[at + 1..].iter().take_while(|(inner, _)| *inner < end).count();
            let whole = &invisible[at..=at + n_inside];
            let can_be_empty = !self.is_in_referenced(*index)
                && whole.iter().all(|(index, inner)| {
                    self.is_empty_or_no_graphics(inner) && !self.may_paint_elsewhere(*index, inner)
                });
            if !is_empty(element) || self.is_uncertain[*index as usize] || !can_be_empty {
                at += 1;
                continue;
            }
            at += n_inside + 1;
            let Unlisted { tag, path, line, column, .. } = element;
            let is_unknown = element.reason == NoBox::Unknown;
            let reason = if is_unknown { &NoBox::NoContents } else { &element.reason };
            let finding = Finding {
                kind: FindingKind::Empty,
                name: element.name().to_owned(),
                tag: tag.clone(),
                path: path.clone(),
                line: *line,
                column: *column,
                reason: reason.to_string(),
                n_elements: 0,
                area: 0.0,
            };
            let has_box = whole.iter().any(|(_, inner)| has_box(inner));
            findings.push(Found { finding, element: *index, has_box });
        }
    }

    /// The elements of the document without an element of the scene in them, in document order,
    /// with their indices.
    fn invisible(&self) -> Vec<(u32, Unlisted)> {
        let drawing = self.drawing;
        let mut paints = vec![false; drawing.sources.len()];
        drawing.table.iter().for_each(|info| paints[info.source as usize] = true);
        for (index, source) in drawing.sources.iter().enumerate().rev() {
            if let Some(parent) = source.parent {
                paints[parent as usize] |= paints[index];
            }
        }
        let origins = drawing.origins.iter().zip(paints);
        let painted: BTreeSet<u32> =
            origins.filter_map(|(origin, paints)| paints.then_some(origin.element)).collect();
        let is_painted =
            |element: u32| painted.range(element..drawing.document.end(element)).next().is_some();
        let unlisted = drawing.unlisted_indices().zip(drawing.unlisted());
        // A part of a text can move the characters after it, even if it paints nothing.
        let is_part = |element: u32, tag: &str| {
            TEXT_PARTS.contains(&tag) && drawing.document.text_around(element).is_some()
        };
        let is_invisible = |(element, unlisted): &(u32, Unlisted)| {
            !is_painted(*element) && !is_part(*element, &unlisted.tag)
        };
        let mut invisible: Vec<_> = unlisted.filter(is_invisible).collect();
        let reasons = drawing.unpainted();
        for (index, source) in drawing.sources.iter().enumerate() {
            let (origin, is_part) = (drawing.origins[index], source.kind == SourceKind::TextPart);
            if is_part || is_painted(origin.element) || origin.is_in_use {
                continue;
            }
            let is_group = source.kind == SourceKind::Group;
            let other = if is_group { NoBox::NoContents } else { NoBox::Unknown };
            let unlisted = Unlisted {
                id: if source.has_id { source.name.clone() } else { String::new() },
                tag: source.tag.clone(),
                path: source.path.clone(),
                line: source.line,
                column: source.column,
                class: source.class.clone(),
                reason: reasons[index].clone().unwrap_or(other),
            };
            invisible.push((origin.element, unlisted));
        }
        invisible.sort_by_key(|(index, _)| *index);
        invisible
    }

    /// Whether a browser may paint something for an element that usvg leaves out: markers of a
    /// shape without size or paint, or characters that usvg has no glyphs for.
    fn may_paint_elsewhere(&self, index: u32, element: &Unlisted) -> bool {
        let node = self.styled[index as usize];
        let has_marker = || {
            let values = node.ancestors().flat_map(|node| MARKERS.map(|name| node.declared(name)));
            values.flatten().any(|value| value != "none")
        };
        let has_characters = || {
            let texts = node.descendants().filter_map(Node::text);
            texts.flat_map(str::chars).any(|c| !c.is_whitespace())
        };
        match element.tag.as_str() {
            "text" => has_characters(),
            tag => MARKED.contains(&tag) && has_marker(),
        }
    }

    fn is_empty_or_no_graphics(&self, element: &Unlisted) -> bool {
        let is_used = !element.id.is_empty() && self.referenced.contains(&*element.id);
        !is_used && (is_empty(element) || element.reason == NoBox::NotGraphics)
    }
}

/// Whether an element may be a part of the bounding boxes around it. Elements that are not listed
/// because they have no size, such as a path of one point, are parts in some browsers.
fn has_box(element: &Unlisted) -> bool {
    match element.reason {
        NoBox::NoContents | NoBox::NotGraphics => false,
        // A group of elements that paint nothing has the boxes of these.
        NoBox::Unknown => element.tag != "g",
        _ => true,
    }
}

fn is_empty(element: &Unlisted) -> bool {
    match element.reason {
        NoBox::NoSize | NoBox::NoContents | NoBox::Transparent | NoBox::NoPaint => true,
        // A group of elements that paint nothing.
        NoBox::Unknown => element.tag == "g",
        _ => false,
    }
}
