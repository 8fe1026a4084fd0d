//! All limits, each with its reason.
//!
//! A drawing may come from anybody, and a few lines of SVG can stand for more work or memory than
//! any machine has. So the crate counts first. It refuses a drawing that exceeds a limit, or
//! simplifies the drawing with a warning.

use std::time::Duration;

/// The largest number of bytes of a drawing: of the input, of the decompressed input, of the
/// document once its entities are expanded, and of all images.
///
/// It bounds the memory that a decompression bomb takes. The largest file of the public SVG test
/// suites has 2 MB.
pub(crate) const MAX_BYTES: u64 = 512 << 20;

/// The largest number of bytes of an image file: one for each pixel of the largest image that is
/// decoded.
pub(crate) const MAX_IMAGE_BYTES: u64 = (MAX_IMAGE_SIDE as u64).pow(2);

/// The largest side of an image that is decoded, in pixels. At 4 bytes a pixel, the largest image
/// takes 1 GiB.
pub(crate) const MAX_IMAGE_SIDE: u32 = 16_384;

/// The largest side of an image in the encoding, in pixels; larger images are scaled down.
///
/// All images of a scene share Vello's atlas, which has at most 8,192 pixels a side.
#[cfg(feature = "images")]
pub(crate) const MAX_ENCODED_IMAGE_SIDE: u32 = 4_096;

/// The largest number of bytes of all fonts in a drawing. The largest font file of Noto has 20 MB.
#[cfg(feature = "text")]
pub(crate) const MAX_FONT_BYTES: usize = 64 << 20;

/// The largest number of segments of a glyph of a font in a drawing. A letter of a brush font has
/// some thousands.
#[cfg(feature = "text")]
pub(crate) const MAX_GLYPH_SEGMENTS: u32 = 1 << 14;

/// The largest number of segments of all glyphs of such a font, which takes 0.1 s to count. The
/// 65,535 glyphs of a large font for Chinese have 60 segments each.
#[cfg(feature = "text")]
pub(crate) const MAX_FONT_SEGMENTS: u32 = 1 << 24;

/// The memory that decoding an image may take, in bytes for each of its pixels: up to four channels
/// of 16 bits, and as much again for the decoder.
#[cfg(feature = "images")]
pub(crate) const DECODER_BYTES_PER_PIXEL: u64 = 16;

/// The memory that the tables of an image decoder may take, in bytes.
#[cfg(feature = "images")]
pub(crate) const DECODER_TABLE_BYTES: u64 = 64 << 20;

/// The largest number of uses of SVG images. Each takes about 10 kB, however small it is, so all
/// take 200 MB.
pub(crate) const MAX_SVG_IMAGES: u64 = 20_000;

/// The largest number of attributes of an XML element. roxmltree 0.21 compares each with the
/// others: 2¹⁵ pairs.
pub(crate) const MAX_ATTRIBUTES: usize = 256;

/// The largest depth of nested entities. roxmltree 0.21 refuses deeper ones.
pub(crate) const MAX_ENTITY_DEPTH: usize = 10;

/// The largest depth of nested XML elements. usvg 0.49 refuses deeper ones.
pub(crate) const MAX_DEPTH: u32 = 1_024;

/// The largest number of XML elements, including those that each `use` stands for. usvg 0.49
/// refuses more.
pub(crate) const MAX_ELEMENTS: u32 = 1_000_000;

/// The largest number of curves of one arc in path data. The parser takes time quadratic in it: 10⁸
/// steps.
pub(crate) const MAX_CURVES_OF_ARC: f64 = 10_000.0;

/// The largest number of curves of all arcs of a document, beyond four per arc. They take about 10
/// MB.
pub(crate) const MAX_CURVES_OF_ARCS: f64 = 200_000.0;

/// The largest number of bytes of all copies of clip paths, masks and filters that elements with
/// markers get. They are parsed like the document, so they take as long as one of this size.
pub(crate) const MAX_COPIED_BYTES: usize = 16 << 20;

/// The largest number of elements inside of masks. The contents of a mask are lowered once per use,
/// and masks nest.
pub(crate) const MAX_MASK_ELEMENTS: usize = 1_000_000;

/// The largest number of children of a clip path that are compared with each other: 2¹⁶ pairs.
pub(crate) const MAX_COMPARED_PIECES: usize = 256;

/// The largest number of dashes and gaps of one stroke.
pub(crate) const MAX_DASHES: f64 = 100_000.0;

/// The largest number of dashes and gaps of all strokes of a drawing.
pub(crate) const MAX_ALL_DASHES: f64 = 1_000_000.0;

/// The number of dashes and gaps beyond which resvg leaves a stroke out: `MAX_DASH_COUNT` of
/// tiny-skia-path 0.12.
pub(crate) const MAX_RESVG_DASHES: f64 = 1_000_000.0;

/// The largest coordinate and width of a stroke that is expanded. There, `f64` still resolves 10⁻⁷.
pub(crate) const MAX_STROKE_COORDINATE: f64 = 1e9;

/// The largest miter limit in Vello's encoding, which has it as a 16-bit float.
pub(crate) const MAX_MITER_LIMIT: f64 = 65_504.0;

/// The smallest number of px in a unit that strokes and filters are bounded at.
pub(crate) const MIN_SCALE: f64 = 1e-9;

/// The largest number of px in a unit that paths are left in: there, 10⁻⁶ units are a pixel.
pub(crate) const MAX_UNIT: f64 = (1 << 20) as f64;

/// The largest coordinate that a path is enlarged to. `f32` resolves 1/16 there.
pub(crate) const MAX_ENLARGED: f64 = (1 << 20) as f64;

/// The largest extent of a convolution that is bounded by its kernel, in px.
///
/// A kernel is in pixels of the picture, whatever its scale, and boxes are for one pixel per px. At
/// another scale, the box of a small kernel is only a little wrong.
pub(crate) const MAX_KERNEL_EXTENT: f64 = 2.0;

/// How far beyond the viewport an outline may extend before only its part near the viewport is
/// encoded, in px.
///
/// Renderers compute in `f32`, which resolves 1/16 px there.
pub(crate) const MAX_OVERHANG: f64 = 1e6;

/// The largest number of characters of an address that a warning repeats.
pub(crate) const MAX_SHOWN_ADDRESS: usize = 200;

/// The default time limit, for loading a drawing and for drawing a picture.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The time between two checks of whether a result is still wanted. A caller that cancels waits no
/// longer than this.
#[cfg(not(target_family = "wasm"))]
pub(crate) const CANCEL_INTERVAL: Duration = Duration::from_millis(10);

/// The stack of the threads that load and draw, in bytes: 512 KiB for each level of [`MAX_DEPTH`].
///
/// This is address space. Only the part that is used takes memory.
#[cfg(not(target_family = "wasm"))]
pub(crate) const STACK_SIZE: usize = 512 << 20;

/// The stack where the address space is too small for [`STACK_SIZE`].
#[cfg(not(target_family = "wasm"))]
pub(crate) const SMALL_STACK_SIZE: usize = 64 << 20;

/// The largest number of elements that resvg draws, each counted as often as it is drawn.
///
/// It is four times [`MAX_ELEMENTS`], because usvg can turn one element into several, such as a
/// text into paths.
pub(crate) const MAX_DRAWN_ELEMENTS: f64 = 4e6;

/// The largest number of pixels of a pattern tile that resvg draws: 256 MiB.
pub(crate) const MAX_TILE: f64 = (64 << 20) as f64;

/// The largest number of pixels of all pattern tiles, each counted as often as it is drawn: 8 s at
/// a nanosecond a pixel.
pub(crate) const MAX_TILES: f64 = 8e9;

/// The largest number of steps of all filters, each of about a nanosecond: a minute.
pub(crate) const MAX_FILTER_STEPS: f64 = 6e10;

/// The largest depth of nested groups, patterns, masks and clip paths that resvg draws: it recurses
/// with them.
///
/// Each level has 170 KiB of [`STACK_SIZE`].
pub(crate) const MAX_DRAWN_DEPTH: u32 = 3_000;

/// The largest number of pixels of all raster images of a picture.
///
/// It is a quarter of Vello's atlas, because the atlas keeps the images of the last two pictures.
pub(crate) const MAX_RASTER_PIXELS: f64 = (16 << 20) as f64;

/// The largest side of a raster image, in pixels without its border: half of the side of Vello's
/// atlas.
pub(crate) const MAX_RASTER_SIDE: f64 = 4_096.0;

/// The bound of the coordinates of a region of pixels. The sides of such a region, and its
/// coordinates relative to another one, fit in an `i32`.
pub(crate) const MAX_PIXEL_COORDINATE: f64 = (i32::MAX / 8) as f64;

/// The area that resvg lets a filter see, in areas of the canvas: 5 × 5 canvases, which are two on
/// each side of its own.
pub(crate) const FILTER_CANVASES: f64 = 25.0;

/// The largest number of pixels that resvg filters at once: 64 MiB for each intermediate image.
pub(crate) const MAX_FILTER_PIXELS: f64 = (16 << 20) as f64;

/// The side of the pieces that a larger filter is drawn in. resvg filters [`FILTER_CANVASES`] times
/// their pixels, which is just within [`MAX_FILTER_PIXELS`].
pub(crate) const FILTER_PIECE: u32 = 800;

/// The largest number of pixels of a pattern tile that is repeated into raster images, and of all
/// tiles that are kept: 64 MiB. A larger tile is drawn at a lower resolution.
pub(crate) const MAX_TILE_PIXELS: f64 = (16 << 20) as f64;
