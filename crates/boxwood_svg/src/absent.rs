//! The ids of a file that no element of its scene has.

use std::collections::HashSet;
use std::fmt;

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
    /// It draws nothing.
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
            Absence::Undrawn => f.write_str(", which draws nothing"),
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
    if name(&node) == "switch" { Absence::Switch } else { Absence::Undrawn }
}
