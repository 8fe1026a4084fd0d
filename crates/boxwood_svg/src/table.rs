//! The table that names the elements of a scene.

use std::fmt;

use kurbo::Rect;

use crate::dom::NodeId;

/// The SVG element that an element of the scene comes from, and the role of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementInfo {
    /// An index into [`Drawing::sources`](crate::Drawing::sources).
    pub source: u32,
    /// The role of the element.
    pub role: Role,
    /// Whether the element is part of a filter or mask.
    pub within: Within,
    /// Whether the element is part of a marker of its source.
    pub in_marker: bool,
}

/// Whether an element is drawn directly or is the input of an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Within {
    /// It is drawn directly.
    #[default]
    Scene,
    /// It is the input of a filter. Its box is the box of the filter's leaf.
    Filter,
    /// It shapes a mask, or a clip path that is drawn as a mask, and paints nothing. Its box is
    /// empty.
    Mask,
}

/// The role of an element of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A leaf: the interior of a path or glyph.
    Fill,
    /// A leaf: the stroke of a path or glyph.
    Stroke,
    /// A leaf: a raster image.
    Image,
    /// A leaf: what a filter may paint.
    Filter,
    /// Begins or ends a node that clips its contents.
    Clip,
    /// Begins or ends a node that composites its contents as one group.
    Blend,
    /// Begins or ends a node that does both.
    ClipBlend,
    /// Begins or ends a node whose contents mask everything before them in the parent node.
    Mask,
}

/// The SVG effects of a node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodeEffects {
    /// Why it clips, if it does.
    pub(crate) clip: Option<Clip>,
    /// The opacity of the group.
    pub(crate) opacity: f32,
    /// Whether the group blends with what is below it, by a blend mode other than `normal`.
    pub(crate) blends: bool,
    /// Whether the group composites its contents on their own, before anything else.
    pub(crate) isolates: bool,
    /// Whether everything inside of its box passes: its shape is the box, and it has no mask. For a
    /// shape far larger than the viewport, this holds only near the viewport.
    pub(crate) is_box: bool,
}

impl NodeEffects {
    /// A node that only clips.
    pub(crate) fn clip(clip: Clip) -> Self {
        Self { clip: Some(clip), ..Self::default() }
    }
}

impl Default for NodeEffects {
    fn default() -> Self {
        Self { clip: None, opacity: 1.0, blends: false, isolates: false, is_box: true }
    }
}

/// The reason why a node clips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clip {
    /// It is the viewport of the drawing, of an inner `svg`, of a `symbol`, or of an image.
    Viewport,
    /// It is the viewport of a marker.
    Marker,
    /// It is a clip path, mask, or filter in units of the bounding box of its element, which has no
    /// area. The element is not drawn.
    NoArea,
    /// It is a clip path.
    ClipPath {
        /// The id of the `clipPath`, empty if it is not known.
        id: String,
    },
    /// It is a mask, which hides everything outside of its rectangle and of its contents.
    Mask {
        /// The id of the `mask`, empty if it is not known.
        id: String,
    },
}

/// Names the clip, such as `viewport` or `clip path #id`.
impl fmt::Display for Clip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, id) = match self {
            Self::Viewport => ("viewport", ""),
            Self::Marker => ("viewport of a marker", ""),
            Self::NoArea => ("effect in units of a box without area", ""),
            Self::ClipPath { id } => ("clip path", id.as_str()),
            Self::Mask { id } => ("mask", id.as_str()),
        };
        f.write_str(name)?;
        if id.is_empty() { Ok(()) } else { write!(f, " #{id}") }
    }
}

/// An SVG element that is drawn, or a group around one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The id of the SVG element. Without an id, or inside of a `use`, its [`path`](Self::path).
    pub name: String,
    /// Whether the name is an id.
    pub has_id: bool,
    /// The kind of SVG element.
    pub kind: SourceKind,
    /// The innermost group around it, as an index into
    /// [`Drawing::sources`](crate::Drawing::sources) that is less than its own index. `None` for
    /// the root only.
    pub parent: Option<u32>,
    /// The name of the SVG element, such as `rect`.
    pub tag: String,
    /// The path of the element in the document as `XPath` counts, such as `/svg/g[2]/rect[1]`. For
    /// what a `use` draws, the path of the `use`, ` → `, and the path of the element that it draws.
    pub path: String,
    /// The line of the element in the document, starting at 1.
    pub line: u32,
    /// The column of the element in its line, in characters, starting at 1.
    pub column: u32,
    /// The value of the attribute `class`.
    pub class: String,
}

/// A part of a text that has characters. Its boxes are in the space of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TextPart {
    /// The union of the cells of its glyphs. `None` if they are not known.
    pub(crate) cells: Option<Rect>,
    /// The union of its stroked glyphs.
    pub(crate) strokes: Option<Rect>,
    /// Whether the paths of its glyphs are known.
    pub(crate) has_paths: bool,
}

/// Where a source comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// The index of its element in the document.
    pub(crate) element: u32,
    /// Its node in the document as usvg reads it.
    pub(crate) node: NodeId,
    /// Whether a `use` draws it.
    pub(crate) is_in_use: bool,
    /// For a group, a hash of its own transforms.
    pub(crate) transforms: u64,
}

/// A kind of SVG element. usvg turns every basic shape into a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// The outermost `svg`.
    Svg,
    /// A group.
    Group,
    /// A path, or a basic shape.
    Path,
    /// An image.
    Image,
    /// A text.
    Text,
    /// A part of a text that has characters, such as a `tspan`. It has no elements of its own: its
    /// glyphs are [leaves](crate::Drawing::leaves_of_text_parts) of the text.
    TextPart,
}
