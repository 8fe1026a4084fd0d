//! SVG and SVGZ files as flattened scenes.
//!
//! [`load`] parses a drawing with usvg and lowers its tree into a [`Drawing`]: a [`vello_encoding::Encoding`] that a
//! compute renderer draws, the [`Scene`](boxwood_cpu::Scene) that Boxwood computes boxes from, and a table
//! that says which SVG element each element of the scene comes from.
//!
//! ```
//! let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
//!     <rect id="r" x="10" y="10" width="200" height="20"/>
//! </svg>"#;
//! let drawing = boxwood_svg::load(svg, &boxwood_svg::Options::default())?;
//! // The root viewport begins, the rectangle, the root viewport ends.
//! assert_eq!(drawing.elements.len(), 3);
//! assert_eq!(drawing.sources[1].name, "r");
//! # Ok::<(), boxwood_svg::Error>(())
//! ```
//!
//! # What becomes of what
//!
//! | SVG | elements |
//! |---|---|
//! | the root viewport | a clip node around everything, element 0 and the last |
//! | a path or basic shape | a leaf for its fill, a leaf for its stroke |
//! | text | the leaves of its glyphs' outlines, all from the text's [`Source`] |
//! | an image | a leaf; a nested SVG image: a clip node of its viewport with its elements, all from the image's [`Source`] |
//! | a clip path | a clip node; one more for each clip path on the clip path, or on its only child |
//! | a clip path of several children | one node; where that is not the interior of one path, with a mask node at its end |
//! | opacity, blend mode, isolation | a blend node, or the same node as the clip path's |
//! | a mask | a node that clips and blends, its box that of the mask's rectangle ∩ its contents ∩ its own mask |
//! | the contents of a mask | a [`Role::Mask`] node at the end of that, whose elements all have empty boxes |
//! | a mask on a mask | a clip node of its rectangle around the contents of the other, with its own contents at the end |
//! | a filter | a node that holds a [`Role::Filter`] leaf with the box of what the filter can ink, then the contents |
//! | anything that draws nothing | no element |
//!
//! # Raster leaves
//!
//! Vello has no filters and no patterns. A filtered group, and what is painted with a pattern, are [`RasterLeaves`]: images,
//! which are empty until [`RasterLeaves::draw_into`] has resvg draw them for a view. What is inside of a filtered group, and of
//! its mask, leaves no trace in the encoding beside that image. The image has the group's filters, clip path, mask and opacity;
//! its blend mode is the node's. The edge of a clip path on the filtered group itself is anti-aliased twice, by resvg and by
//! Vello.
//!
//! # Which element is whose
//!
//! A [`Source`] is an SVG element as usvg keeps it: the root, whatever has an id, each path, text and image that becomes
//! elements of the scene, and each group that has a source in it. One with an id may become no element, as it inks nothing.
//! Each has its parent, so what is below a group can be found.
//!
//! An effect on a path, text or image, such as `<rect id="r" clip-path="url(#c)"/>`, reaches this crate as a group
//! without an id around the shape. Where that shape has an id, the nodes of the group come from the shape: the clip
//! node's source is `r`. To usvg, `<g clip-path="url(#c)"><rect id="r"/></g>` is the same, and so it is here; a group
//! with an id of its own, or with more than that one shape in it, is a source of its own. So is the group around a shape
//! without an id, and around one with markers, which usvg puts beside it.
//!
//! # Boxes
//!
//! The box of a leaf is the tight box of its transformed outline: with curves, dashes, caps, joins and miters, without
//! anti-aliasing. The box of a clip node is the tight box of its shape; that of a blend node that does not clip is the
//! whole plane. A box is never smaller than the ink; paints, which only take ink away, do not count.
//!
//! A filter moves ink, makes some from nothing and cuts some. So its leaf is what its primitives can ink, found by a walk over
//! them in the user space of the group, and cut by the group's own clip path and mask and by what is around. What is inside is
//! marked [`Within::Filter`] and has that same box, as have the clips in there.
//!
//! All of these are *ink* boxes: what can be painted. [`Drawing::object_boxes`] gives the other kind, the *object* bounding boxes
//! of SVG 2, which `getBBox` has in a browser: geometry, whatever its paint, mask or filter.

mod absent;
mod arcs;
mod cells;
mod clip;
mod displacement;
mod drawing;
mod encode;
mod entities;
mod error;
mod filter;
mod filter_work;
mod flatten;
mod fonts;
mod group;
mod images;
mod ink;
mod leaf;
mod load;
mod loaded_images;
mod markers;
mod miter;
mod nesting;
mod object;
mod options;
mod origin;
mod paint;
mod parse;
mod path;
mod patience;
mod placement;
mod polygon;
mod properties;
mod raster;
mod raster_leaves;
mod rasterize;
mod read;
mod references;
mod stack;
mod stroke;
mod view_box;
mod viewport;
mod warnings;
mod work;

pub use absent::{Absence, AbsentId};
pub use drawing::{Drawing, ElementInfo, LoadTimes, Role, Source, SourceKind, Within};
pub use error::{DrawError, Error};
pub use load::{load, load_file};
pub use object::{Include, ObjectBox, Space};
pub use options::{Fonts, Options};
pub use patience::{Patience, Stop};
pub use raster_leaves::RasterLeaves;
pub use read::{MAX_BYTES, read};
pub use stack::THREAD_NAME;
pub use warnings::{Drawn, Shown, Warning, WarningKind};
pub use work::TooMuchToDraw;
