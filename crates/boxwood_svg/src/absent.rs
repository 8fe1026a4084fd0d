//! The ids of a file that no element of its scene has.

use std::collections::HashSet;
use std::fmt;

use simplecss::DeclarationTokenizer;
use usvg::roxmltree::{Document, Node};

/// An id of the file that no [`Source`](crate::Source) has: usvg has resolved its element away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsentId {
    /// The id.
    pub id: String,
    /// The name of the SVG element that has it.
    pub element: String,
    /// What became of the element.
    pub absence: Absence,
}

/// What became of an SVG element that is no [`Source`](crate::Source).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It is a definition or inside of one. Where that is used, it is drawn without its ids.
    Definition {
        /// The name of the SVG element that defines, such as `defs` or `clipPath`.
        within: String,
    },
    /// It is part of a text, which is one source.
    Text {
        /// The id of the text, empty if it has none.
        text: String,
    },
    /// It is a `switch`, and the child that it picks is drawn in its place.
    Switch,
    /// It is an inner `svg` that does not clip, and its contents are drawn without it.
    Unclipped,
    /// It is left out.
    Undrawn,
}

/// The elements whose contents are drawn only where something refers to them.
const DEFINITIONS: [&str; 9] =
    ["defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient"];

/// Says what has the id, and what to ask for instead.
impl fmt::Display for AbsentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is on a <{}>", self.element)?;
        match &self.absence {
            Absence::Definition { within } if *within == self.element => {
                f.write_str(", which is drawn only where something refers to it, and without its id")
            }
            Absence::Definition { within } => write!(
                f,
                " in a <{within}>, whose contents are drawn only where something refers to them, and without \
                 their ids"
            ),
            Absence::Text { text } if text.is_empty() => {
                f.write_str(", which is part of a text without an id: ask for the text by its path")
            }
            Absence::Text { text } => write!(f, ", which is part of the text `{text}`: ask for that"),
            Absence::Switch => f.write_str(", which stands for the child that it picks: ask for that"),
            Absence::Unclipped => {
                f.write_str(", which does not clip: what is in it is drawn without its id, ask for that")
            }
            Absence::Undrawn => f.write_str(
                ", which is left out: it or what it is in has `display: none`, no contents or size, an effect that is not \
                 valid, or is not what a <switch> picks",
            ),
        }
    }
}

/// Every id in a document, with what becomes of its element if that is no source.
pub(crate) fn ids(document: &Document<'_>) -> Vec<AbsentId> {
    let with_id = |node: Node<'_, '_>| {
        let id = node.attribute("id").filter(|id| !id.is_empty() && node.is_element())?;
        let element = node.tag_name().name().to_owned();
        Some(AbsentId { id: id.to_owned(), element, absence: absence(node) })
    };
    document.descendants().filter_map(with_id).collect()
}

/// Those of some ids that are not among the present ones.
pub(crate) fn absent<'a>(mut ids: Vec<AbsentId>, present: impl Iterator<Item = &'a str>) -> Vec<AbsentId> {
    let present: HashSet<&str> = present.collect();
    ids.retain(|absent| !present.contains(absent.id.as_str()));
    ids
}

fn absence(node: Node<'_, '_>) -> Absence {
    let name = |node: &Node<'_, '_>| node.tag_name().name().to_owned();
    if let Some(within) = node.ancestors().find(|node| DEFINITIONS.contains(&node.tag_name().name())) {
        return Absence::Definition { within: name(&within) };
    }
    if let Some(text) = node.ancestors().skip(1).find(|node| node.tag_name().name() == "text") {
        return Absence::Text { text: text.attribute("id").unwrap_or_default().to_owned() };
    }
    match node.tag_name().name() {
        "switch" => Absence::Switch,
        "svg" if !clips(node) && node.has_children() && !is_left_out(node) => Absence::Unclipped,
        _ => Absence::Undrawn,
    }
}

/// Whether an inner `svg` clips to its viewport. Only then usvg makes a group of it.
fn clips(svg: Node<'_, '_>) -> bool {
    let overflow = declared(svg, "overflow");
    let has_size = svg.has_attribute("width") && svg.has_attribute("height");
    has_size && !matches!(overflow, Some("visible" | "auto"))
}

fn is_left_out(node: Node<'_, '_>) -> bool {
    node.ancestors().any(|node| declared(node, "display") == Some("none"))
}

/// The value of a property that the element itself declares, style sheets left alone.
fn declared<'a>(node: Node<'a, '_>, property: &str) -> Option<&'a str> {
    let style = DeclarationTokenizer::from(node.attribute("style").unwrap_or_default());
    let in_style = style.filter(|declaration| declaration.name == property).last();
    in_style.map(|declaration| declaration.value).or(node.attribute(property))
}
