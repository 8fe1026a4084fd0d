//! Loads SVG and SVGZ files for renderers and for Boxwood.
//!
//! [`load`](load()) parses a file with usvg and turns it into a [`Drawing`]. That has three parts,
//! which agree element by element:
//!
//! - a [`vello_encoding::Encoding`], which a renderer such as Vello draws;
//! - a [`Scene`](boxwood_cpu::Scene), the tags and boxes that Boxwood computes further boxes from;
//! - a table that names the SVG element behind each element.
//!
//! ```
//! let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
//!     <rect id="r" x="10" y="10" width="200" height="20"/>
//! </svg>"#;
//! let drawing = boxwood_svg::load(svg, &boxwood_svg::Options::default())?;
//! // The viewport begins, the rectangle, the viewport ends.
//! assert_eq!(drawing.elements.len(), 3);
//! assert_eq!(drawing.sources[1].name, "r");
//! # Ok::<(), boxwood_svg::Error>(())
//! ```
//!
//! # Elements
//!
//! A scene is a list of *elements* in paint order. A *leaf* is an element that is drawn: a fill, a
//! stroke, an image. A *node* is a pair of elements, a begin and an end, around its contents. A
//! node clips its contents (*clip node*), or composites them as one group (*blend node*), or both.
//! This is how SVG becomes elements:
//!
//! | SVG | elements |
//! |---|---|
//! | the root's viewport | a clip node around everything: the first and the last element |
//! | a path or basic shape | a leaf for its fill and a leaf for its stroke |
//! | a text | the leaves of its glyphs; their [`Source`] is the text |
//! | a raster image | a leaf |
//! | an SVG image | a clip node around its elements; their [`Source`] is the image |
//! | a clip path | a clip node, and one for each clip path on it or on its only child |
//! | a clip path with several children | a clip node, with a mask node at its end if needed |
//! | opacity, blend mode, isolation | a blend node, or the node of the clip path |
//! | a mask | a node that clips and composites, with a mask node at its end |
//! | the contents of a mask | elements with empty boxes, inside of the mask node |
//! | a mask on a mask | a clip node around those, with its own mask node at its end |
//! | a filter | a node with one leaf for everything that the filter can paint, then the contents |
//! | anything that draws nothing | nothing |
//!
//! A *mask node* ([`Role::Mask`]) masks everything before it in its parent node. A clip path with
//! several children needs one if no single path lets the same through.
//!
//! # Raster images
//!
//! Vello has neither filters nor patterns, and its gradients have 512 colours. A filtered group, a
//! fill or stroke with a pattern, and one with a long gradient whose stops are close, are images in
//! the encoding. They are empty until [`RasterImages::draw_into`] lets resvg draw
//! them for a view. The image of a filtered group includes its clip path, mask and opacity, but not
//! its blend mode. The contents of the group are transparent in the encoding. The edge of a clip
//! path on a filtered group is anti-aliased twice, by resvg and by Vello.
//!
//! [`Drawing::draw_into`] draws the encoding with any back end of anyrender, which has no luminance
//! masks either: these are images of the view as well.
//!
//! # Sources
//!
//! A [`Source`] is an SVG element: the root, every element with an id that can be drawn, every
//! shape, text and image that becomes an element of the scene, and every group around a source. A
//! source with an id may have no element, if it draws nothing.
//!
//! The contents of a `use` are sources once for each `use`. Their paths begin with the path of the
//! `use`. The nodes of an effect on a shape, such as `<rect id="r" clip-path="url(#c)"/>`, have the
//! shape as their source: here, the source of the clip node is `r`. So have the markers of a path.
//!
//! # Boxes
//!
//! The boxes of the elements are *ink boxes*: they contain everything that can be painted, before
//! clipping.
//!
//! - The box of a leaf is the tight box of its transformed outline, with curves, dashes, caps,
//!   joins and miters, and without anti-aliasing. Transparent parts of its paint count, except
//!   beyond a stop at which a padded gradient becomes transparent for good.
//! - The box of a clip node is the tight box of its shape. That of a blend node that does not clip
//!   is the whole plane.
//! - The box of a filter's leaf contains everything that its primitives can paint, before the clip
//!   path and mask of the group, which clip it as nodes around it. The elements in the group are
//!   marked [`Within::Filter`] and have the same box.
//!
//! [`Drawing::object_boxes`] computes *object boxes*: the bounding boxes of geometry that `getBBox`
//! returns in a browser, whatever its paint, mask or filter is.
//!
//! # Visibility
//!
//! [`explain()`] says what each effect around an element leaves of its box, and what else hides it.
//! [`audit()`] finds what is wasted in a drawing. Both report only what is certain from the boxes.
//!
//! # Hits
//!
//! [`Hits`] decides whether a point is on what an element paints, and not only in its box.
//!
//! # Paint
//!
//! [`style()`] says how an element is painted: its fill, stroke and font, and how it is composited
//! as a group.
//!
//! # Changes
//!
//! [`compare()`] finds the elements that differ between two drawings, for stage *damage* of
//! [`boxwood_cpu::specification::spatial`].
//!
//! # When not to use it
//!
//! A drawing is static: scripts, animations and interactive CSS have no effect. Neither do features
//! that neither usvg nor this crate supports. A [`Warning`] lists those that are noticed.

// A module uses only modules in the lines above its own; the test `modules` enforces this:
//
//     error, geometry, scene, text   without dependencies
//     dom, table, xml                a document that can be changed, the elements of SVG
//     no_box                         why elements have no box
//     guard                          limits, deadlines, threads, the check of a document
//     fonts                          the fonts of the system, and those that a program gives
//     options, raster, warnings      what callers choose, what resvg draws, what is reported
//     css                            the cascade, and values of CSS
//     selector                       elements by CSS selectors
//     quirks                         workarounds for upstream bugs, in trees and pictures
//     passes                         changes of a document before usvg reads it
//     read                           bytes to usvg's tree
//     placed                         the nodes of elements in usvg's tree
//     boxes                          object and ink boxes
//     signature                      hashes of what nodes paint
//     drawing, lower                 usvg's tree to elements
//     load                           everything in order
//     visibility                     what is certainly not visible
//     audit, compare, explain, style facts about drawings for people
//     hits, items                    what is painted at a point, what is drawn as a whole
mod audit;
mod boxes;
mod compare;
mod css;
mod dom;
mod drawing;
mod error;
mod explain;
#[cfg(feature = "text")]
mod fonts;
mod geometry;
mod guard;
mod hits;
mod items;
mod load;
mod lower;
mod no_box;
#[cfg(not(feature = "text"))]
mod no_fonts;
mod options;
mod passes;
mod placed;
mod quirks;
mod raster;
mod read;
mod scene;
mod selector;
mod signature;
mod style;
mod table;
mod text;
mod visibility;
mod warnings;
mod xml;

#[cfg(not(feature = "text"))]
use no_fonts as fonts;

pub use audit::{Finding, FindingKind, audit, may_change};
pub use boxes::object::{Include, Space};
pub use compare::{Change, ChangeKind, Comparison, compare, first_restyled, ignored_differences};
pub use drawing::{Drawing, LoadTimes};
pub use error::{Error, LimitError, Quantity, Work};
pub use explain::{Explanation, Hidden, Part, Step, explain};
#[cfg(feature = "text")]
pub use fonts::FontFile;
pub use fonts::FontSet;
pub use guard::deadline::{CancelToken, Deadline};
pub use guard::thread::THREAD_NAME;
pub use hits::Hits;
pub use items::{Item, ItemKind, items};
pub use load::{load, load_file};
pub use no_box::{NoBox, Unlisted};
pub use options::{Fonts, Only, Options};
pub use raster::images::RasterImages;
pub use read::bytes::{other_encoding, read};
#[cfg(feature = "text")]
pub use read::fonts::fallback_font;
pub use scene::DrawingScene;
pub use selector::{Selector, SelectorError};
pub use style::{FillStyle, FontStyle, GradientStop, PaintStyle, Paints, StrokeStyle, Style, style};
pub use table::{Clip, ElementInfo, Role, Source, SourceKind, Within};
pub use warnings::{Drawn, Shown, Warning, WarningKind};
