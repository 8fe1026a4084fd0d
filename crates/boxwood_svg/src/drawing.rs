//! The flattened scene and its table of elements.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use boxwood_cpu::Scene;
use kurbo::{Affine, Size};
use resvg::tiny_skia::{IntSize, Pixmap};
use vello_encoding::Encoding;

use crate::absent::AbsentId;
use crate::error::DrawError;
use crate::path::max_scale;
use crate::patience::Patience;
use crate::placement::Placements;
use crate::raster_leaves::RasterLeaves;
use crate::rasterize::draw_tree;
use crate::stack;
use crate::warnings::Warning;
use crate::work::Work;

/// A flattened SVG: what a compute renderer draws, what Boxwood needs for its boxes, and what both mean.
///
/// Everything is in scene space: the user space of the document at 100 %, one unit a CSS pixel, y down, the origin at
/// the top left of the viewport.
pub struct Drawing {
    /// The draw objects, in paint order. Element i of the scene is draw object i. Without what [`Self::raster_leaves`] draw
    /// into it, filtered groups and patterns are missing.
    pub encoding: Encoding,
    /// The leaves that are images of the encoding, drawn for each view.
    pub raster_leaves: Arc<RasterLeaves>,
    /// The draw tag and the box of each element.
    pub elements: Scene,
    /// What each element is: one entry an element.
    pub table: Vec<ElementInfo>,
    /// The SVG elements that the elements come from, and the groups around them, in document order.
    pub sources: Vec<Source>,
    /// The ids of the document that no source has, in document order.
    pub absent: Vec<AbsentId>,
    /// The size of the document's viewport.
    pub size: Size,
    /// What is drawn or bounded other than SVG prescribes, once a kind.
    pub warnings: Vec<Warning>,
    /// The parsed document, for a renderer that reads that. Drawings that are images in it are cut to their viewports, unless
    /// [`Options::clip_to_viewport`](crate::Options::clip_to_viewport) says otherwise.
    pub tree: Arc<usvg::Tree>,
    /// What resvg does to draw the tree, at most, at 100 %.
    pub(crate) tree_work: Work,
    /// What loading took.
    pub times: LoadTimes,
    /// The same document with its markers told apart and after their paths, where there are some.
    pub(crate) marked: Option<usvg::Tree>,
    /// Where attributes of the document place elements.
    pub(crate) placements: Placements,
    /// For each source, the steps to its node from the root of the tree.
    pub(crate) steps: Vec<Box<[u32]>>,
}

/// How long the steps of loading took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadTimes {
    /// From text to usvg's tree: XML, CSS, `use`, text and its fonts, markers; where there are markers, twice.
    pub parse: Duration,
    /// From the tree to the encoding, with images decoded and the box of every element.
    pub flatten: Duration,
}

impl Drawing {
    /// Has resvg draw all of [`Self::tree`] over an image of this width and height: premultiplied red, green, blue and opacity,
    /// row by row from the top.
    ///
    /// # Errors
    ///
    /// More than resvg is asked to draw, such as patterns in patterns without end, or a pattern with a huge tile; what resvg
    /// panics on; and more than there is patience for. Nothing is drawn then, but after the patience has ended a thread may go on
    /// for a while.
    ///
    /// # Panics
    ///
    /// If there are not four bytes a pixel, or no pixel.
    pub fn draw_tree(
        &self,
        image: &mut [u8],
        [width, height]: [u32; 2],
        device_from_scene: Affine,
        patience: &Patience,
    ) -> Result<(), DrawError> {
        self.tree_work.scaled(max_scale(device_from_scene)).check()?;
        let size = IntSize::from_wh(width, height).expect("an image has pixels");
        let mut pixmap = Pixmap::from_vec(image.to_vec(), size).expect("an image has four bytes a pixel");
        let tree = Arc::clone(&self.tree);
        let drawn = stack::run(patience, move |_| {
            draw_tree(&tree, device_from_scene, &mut pixmap);
            pixmap
        });
        let drawn = drawn.map_err(|failure| DrawError::of("the drawing", failure))?;
        image.copy_from_slice(drawn.data());
        Ok(())
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drawing")
            .field("elements", &self.elements)
            .field("table", &self.table)
            .field("sources", &self.sources)
            .field("absent", &self.absent)
            .field("size", &self.size)
            .field("warnings", &self.warnings)
            .field("times", &self.times)
            .finish_non_exhaustive()
    }
}

/// Which SVG element an element of the scene comes from, and what it does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementInfo {
    /// An index into [`Drawing::sources`].
    pub source: u32,
    /// What the element does.
    pub role: Role,
    /// What the element is the contents of.
    pub within: Within,
}

impl ElementInfo {
    /// An element that is drawn as it is.
    pub const fn new(source: u32, role: Role) -> Self {
        Self { source, role, within: Within::Scene }
    }
}

/// What becomes of an element: whether it is drawn, or feeds an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Within {
    /// It is drawn.
    #[default]
    Scene,
    /// It is drawn through a filter. Its box is that of the filter's leaf.
    Filter,
    /// It shapes a mask, or a clip path that is drawn as one, and inks nothing. Its box is empty.
    Mask,
}

/// What an element of the scene does for its SVG element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A leaf: the interior of a path or glyph.
    Fill,
    /// A leaf: the outline of a path or glyph.
    Stroke,
    /// A leaf: a raster image.
    Image,
    /// A leaf: what a filter may ink.
    Filter,
    /// Begins or ends a node that clips.
    Clip,
    /// Begins or ends a node that composites its contents as one group.
    Blend,
    /// Begins or ends a node that does both.
    ClipBlend,
    /// Begins or ends a node whose contents mask what is before them in the node around.
    Mask,
}

/// An SVG element, as usvg keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The SVG id. Where there is none, the path to the element over usvg's tree, such as `/g[2]/path[1]`: from the root,
    /// which is `/`, through elements with and without ids, counting from 1 among siblings of one kind. The path stays
    /// the same as long as the drawing does.
    ///
    /// usvg's tree is not quite the document: `use` and markers are expanded, an effect or transform on a path, text or
    /// image makes a group around it, and a `viewBox` may make one around everything.
    pub name: String,
    /// Whether the name is an SVG id.
    pub has_id: bool,
    /// The kind of SVG element.
    pub kind: SourceKind,
    /// The innermost group around it: an index into [`Drawing::sources`], less than its own. `None` for the root alone.
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
