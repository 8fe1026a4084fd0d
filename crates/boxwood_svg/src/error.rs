//! Errors of loading and of drawing.
//!
//! A message never contains the message of its [source](std::error::Error::source): print the whole
//! chain.

use std::path::PathBuf;
use std::time::Duration;

use boxwood_cpu::SceneError;

/// Why a file cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A reader failed.
    #[error("cannot read the input")]
    Reader {
        /// The error of the reader.
        source: std::io::Error,
    },
    /// A font folder cannot be listed.
    #[error("cannot list the font folder {}", dir.display())]
    FontDir {
        /// The path of the folder.
        dir: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file was read, but its contents cannot be loaded.
    #[error("cannot load {}", path.display())]
    InFile {
        /// The path of the file.
        path: PathBuf,
        /// The error in the contents.
        source: Box<Self>,
    },
    /// The input has too many bytes.
    #[error("the input has more than {limit} bytes, the limit")]
    TooLarge {
        /// The largest number of bytes that is read.
        limit: u64,
    },
    /// The input has no bytes, or only white space.
    #[error("the input is empty")]
    Empty,
    /// The bytes are in a known format other than SVG.
    #[error("this is {format}, not an SVG drawing")]
    OtherFormat {
        /// The name of the format, with an article.
        format: &'static str,
    },
    /// The gzip stream of an SVGZ file cannot be decompressed.
    #[error("the SVGZ data is truncated or damaged")]
    Gzip {
        /// The error of the decompressor.
        source: std::io::Error,
    },
    /// The gzip stream of an SVGZ file decompresses to too many bytes.
    #[error("the SVGZ data decompresses to more than {limit} bytes, the limit")]
    GzipTooLarge {
        /// The largest number of decompressed bytes.
        limit: u64,
    },
    /// The document is too large once its entities are expanded.
    #[error("the document has more than {limit} bytes once its entities are expanded, the limit")]
    EntitiesTooLarge {
        /// The largest number of bytes after expansion.
        limit: u64,
    },
    /// The text is not UTF-8.
    #[error("the text is not UTF-8 (first invalid byte at offset {offset}): save the file as UTF-8")]
    NotUtf8 {
        /// The offset of the first invalid byte.
        offset: usize,
    },
    /// The text is not XML.
    #[error("the text is not well-formed XML: {message}")]
    Xml {
        /// The message of the XML parser, which names line and column.
        message: String,
    },
    /// The root element is not `svg`.
    #[error("the root element is <{name}>, not <svg>")]
    NotSvg {
        /// The name of the root element.
        name: String,
    },
    /// The width or height of the drawing is zero, negative, or too large for an `f32`.
    #[error("the drawing has no area: its {attributes} must be positive")]
    InvalidSize {
        /// The attributes that are wrong.
        attributes: &'static str,
    },
    /// Elements are nested too deep.
    #[error(
        "the drawing is nested {depth} or more elements deep (following uses and references, such as to a clip path), \
         the limit is {limit}: flatten it"
    )]
    TooDeep {
        /// The depth of the deepest element found.
        depth: u32,
        /// The largest depth that is loaded.
        limit: u32,
    },
    /// Elements refer to each other in a cycle.
    #[error(
        "<{element} id=\"{id}\"> refers to itself (through paint, clip path, mask, filter or use): remove a reference"
    )]
    ReferenceCycle {
        /// The name of one element on the cycle.
        element: String,
        /// The id of that element, empty if it has none.
        id: String,
    },
    /// The drawing has too many elements.
    #[error(
        "the drawing has {count} or more elements (an element counts once per use or reference), the limit is {limit}: \
         split it"
    )]
    TooMany {
        /// The number of elements found.
        count: u64,
        /// The largest number of elements that is loaded.
        limit: u32,
    },
    /// The images of the drawing exceed a limit together.
    #[error(
        "the images of the drawing have more than {limit} {what} in all, the limit (an SVG image counts once per use): \
         use fewer or smaller images"
    )]
    Images {
        /// The quantity that is too large: `drawings`, `elements` or `bytes`.
        what: &'static str,
        /// The largest number of them.
        limit: u64,
    },
    /// Elliptical arcs would be approximated by too many curves.
    #[error("{what} would become {count:.0} or more curves, the limit is {limit}: use smaller radii")]
    Arcs {
        /// One arc of a path, or all arcs of the drawing.
        what: &'static str,
        /// The number of curves.
        count: f64,
        /// The largest number of curves.
        limit: f64,
    },
    /// Loading took too long.
    #[error(
        "loading took more than {} s, the time limit: raise it (the command has --time-limit), or simplify the drawing",
        limit.as_secs_f64()
    )]
    TimeLimit {
        /// The time limit.
        limit: Duration,
    },
    /// The loader, or usvg, panicked.
    #[error("{part} crashed on the drawing: {message}")]
    Panicked {
        /// The part that panicked.
        part: &'static str,
        /// The message of the panic.
        message: String,
    },
    /// The loader produced an invalid scene.
    #[error("the loader produced an invalid scene, which is a bug: report it with the drawing")]
    Scene {
        /// The error in the scene.
        #[from]
        source: SceneError,
    },
    /// No thread could be started.
    #[error("cannot start a thread to load in")]
    Thread {
        /// The error of the operating system.
        source: std::io::Error,
    },
}

/// Why resvg drew nothing. The image or encoding that it was to draw into is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// Drawing would take too much time or memory.
    #[error(transparent)]
    TooMuch(#[from] TooMuchToDraw),
    /// resvg panicked.
    #[error("resvg crashed on {part}: {message}")]
    Panicked {
        /// The part of the drawing that resvg was drawing.
        part: &'static str,
        /// The message of the panic.
        message: String,
    },
    /// Drawing took too long.
    #[error(
        "drawing took more than {} s, the time limit: use a smaller zoom or simplify the drawing, its filters first",
        limit.as_secs_f64()
    )]
    TimeLimit {
        /// The time limit.
        limit: Duration,
    },
    /// The caller cancelled the work.
    #[error("drawing was cancelled")]
    Cancelled,
    /// No thread could be started.
    #[error("cannot start a thread to draw in")]
    Thread {
        /// The error of the operating system.
        source: std::io::Error,
    },
}

/// Why resvg would need too much time or memory.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TooMuchToDraw {
    /// Too many elements.
    #[error(
        "the drawing has {count:.0} elements (an element counts as often as patterns, masks and clip paths draw it), \
         the limit is {limit:.0}: nest fewer of them"
    )]
    Elements {
        /// The number of elements.
        count: f64,
        /// The largest number of elements.
        limit: f64,
    },
    /// A pattern tile that is too large.
    #[error("a pattern tile has {pixels:.0} pixels, the limit is {limit:.0}: use a smaller zoom or tile")]
    Tile {
        /// An upper bound of the number of pixels.
        pixels: f64,
        /// The largest number of pixels.
        limit: f64,
    },
    /// Pattern tiles that are too large together.
    #[error(
        "all pattern tiles have {pixels:.0} pixels (a tile counts as often as it is drawn), the limit is {limit:.0}: \
         use a smaller zoom or fewer patterns"
    )]
    Tiles {
        /// An upper bound of the number of pixels.
        pixels: f64,
        /// The largest number of pixels.
        limit: f64,
    },
    /// Filters that take too long.
    #[error(
        "the filters take {steps:.0} steps (of about a nanosecond each), the limit is {limit:.0}: use a smaller zoom, or \
         smaller filter regions, radii and kernels"
    )]
    Filters {
        /// An upper bound of the number of steps.
        steps: f64,
        /// The largest number of steps.
        limit: f64,
    },
    /// Groups, patterns, masks and clip paths that are nested too deep.
    #[error(
        "groups, patterns, masks and clip paths are nested {depth} deep, the limit is {limit}: flatten the drawing"
    )]
    Depth {
        /// The depth.
        depth: u32,
        /// The largest depth.
        limit: u32,
    },
}
