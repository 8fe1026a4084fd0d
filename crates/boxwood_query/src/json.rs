//! The JSON of a row.

use boxwood_cpu::Aabb;
use boxwood_svg::NoBox;
use serde::{Serialize, Serializer};

use crate::clips::ClipAround;
use crate::numbers::Numbers;
use crate::position::DocumentPosition;
use crate::rows::BoxRow;
use crate::words::{BoxKind, ObjectPart};

/// `[x0, y0, x1, y1]`, null for no box, or `"plane"`.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum JsonBox {
    Edges([f32; 4]),
    Plane(&'static str),
    Empty,
}

impl JsonBox {
    /// A box with edges.
    pub(crate) fn edges(Aabb { x0, y0, x1, y1 }: Aabb) -> Self {
        Self::Edges([x0, y0, x1, y1])
    }
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum JsonNumber {
    Number(f32),
    Plane(&'static str),
    Empty,
}

/// A row with the numbers of its box, beside the list of its edges, and the reason for people.
#[derive(Serialize)]
struct JsonRow<'r> {
    name: &'r str,
    has_id: bool,
    element: &'r str,
    #[serde(flatten)]
    position: &'r DocumentPosition<'r>,
    kind: Option<BoxKind>,
    include: Vec<ObjectPart>,
    order: usize,
    parent: Option<&'r str>,
    #[serde(rename = "box")]
    bounds: JsonBox,
    reason: Option<&'static str>,
    #[serde(flatten)]
    numbers: Numbers<JsonNumber>,
    explanation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clips: Option<&'r [ClipAround]>,
}

impl Serialize for BoxRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (plane, empty) = (JsonNumber::Plane("plane"), JsonNumber::Empty);
        let row = JsonRow {
            name: &self.name,
            has_id: self.has_id,
            element: &self.element,
            position: &self.position,
            kind: self.kind,
            include: ObjectPart::of(self.include).collect(),
            order: self.order,
            parent: self.parent,
            bounds: match self.bounds {
                Aabb::PLANE => JsonBox::Plane("plane"),
                // Not `is_empty`: an object box can be a line.
                Aabb::EMPTY => JsonBox::Empty,
                bounds => JsonBox::edges(bounds),
            },
            reason: self.reason.as_ref().map(NoBox::word),
            numbers: Numbers::of(self.bounds, JsonNumber::Number, plane, empty),
            explanation: self.reason.as_ref().map(ToString::to_string),
            clips: self.clips.as_deref(),
        };
        row.serialize(serializer)
    }
}
