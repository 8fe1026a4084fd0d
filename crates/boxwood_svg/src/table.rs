//! The table that names the elements of a scene.

/// The SVG element that an element of the scene comes from, and the role of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementInfo {
    /// An index into [`Drawing::sources`](crate::Drawing::sources).
    pub source: u32,
    /// The role of the element.
    pub role: Role,
    /// Whether the element is part of a filter or mask.
    pub within: Within,
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

/// An SVG element as usvg keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The id of the SVG element. Without an id, its path in usvg's tree, such as `/g[2]/path[1]`.
    ///
    /// The path starts at the root, which is `/`. It counts siblings of one kind from 1, with and
    /// without ids. It stays the same as long as the drawing does.
    ///
    /// usvg's tree differs from the document: `use` and markers are expanded, an effect or
    /// transform on a path, text or image adds a group around it, and a `viewBox` may add a group
    /// around everything.
    pub name: String,
    /// Whether the name is an id.
    pub has_id: bool,
    /// The kind of SVG element.
    pub kind: SourceKind,
    /// The innermost group around it, as an index into
    /// [`Drawing::sources`](crate::Drawing::sources) that is less than its own index. `None` for
    /// the root only.
    pub parent: Option<u32>,
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
}
