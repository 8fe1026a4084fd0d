//! Why a file does not become a scene, and a scene no picture.

use std::path::PathBuf;
use std::time::Duration;

use crate::TooMuchToDraw;
use crate::arcs::{MAX_CURVES, MAX_CURVES_OF_ARC};
use crate::stack::Failure;

/// Why a file does not become a scene.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read the file: {source}: {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// What is not a file cannot be read.
    #[error("cannot read: {source}")]
    Source {
        /// Why.
        source: std::io::Error,
    },
    /// A folder of fonts cannot be listed.
    #[error("cannot list the folder of fonts: {source}: {}", dir.display())]
    FontDir {
        /// The folder.
        dir: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There are too many bytes.
    #[error("there are more than {limit} bytes, the limit")]
    TooLarge {
        /// The most bytes that are taken.
        limit: u64,
    },
    /// A file was read, but its contents are not a drawing.
    #[error("{error}: {}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with its contents.
        error: Box<Self>,
    },
    /// There are no bytes.
    #[error("the file is empty")]
    Empty,
    /// The bytes are a known format that is not SVG.
    #[error("this is {format}, not an SVG drawing")]
    OtherFormat {
        /// The format, with its article.
        format: &'static str,
    },
    /// The gzip stream of an SVGZ file does not decompress.
    #[error("the SVGZ data is cut off or damaged: {source}")]
    Gzip {
        /// Why.
        source: std::io::Error,
    },
    /// The gzip stream of an SVGZ file decompresses to too much.
    #[error("the SVGZ data decompresses to more than {limit} bytes, the limit")]
    GzipTooLarge {
        /// The most bytes that are taken.
        limit: u64,
    },
    /// The entities of the document stand for too much.
    #[error("the entities of the drawing stand for more than {limit} bytes, the limit")]
    EntitiesTooLarge {
        /// The most bytes that are taken.
        limit: u64,
    },
    /// The text is in some other encoding.
    #[error("the text is not UTF-8 (first wrong byte at offset {offset}): save the file as UTF-8")]
    NotUtf8 {
        /// The offset of the first byte that is not UTF-8.
        offset: usize,
    },
    /// The text is not XML.
    #[error("the text is not well-formed XML: {message}")]
    Xml {
        /// What is wrong, with the line and column.
        message: String,
    },
    /// The text is XML, but not SVG.
    #[error("the root element is <{name}>, not <svg>")]
    NotSvg {
        /// The name of the root element.
        name: String,
    },
    /// The width or height of the drawing is zero, negative or beyond the range of numbers.
    #[error("the drawing has no area: its {what} must be positive")]
    InvalidSize {
        /// The attributes at fault.
        what: &'static str,
    },
    /// The document is nested too deep.
    #[error(
        "the drawing is nested {depth} or more elements deep (a use of an element counts, be it as clip path or paint), \
         the limit is {MAX_XML_DEPTH}: flatten it"
    )]
    TooDeep {
        /// How many elements are inside of each other in the root.
        depth: u32,
    },
    /// The references between elements lead in a circle.
    #[error(
        "the references of <{element} id=\"{id}\"> lead back to it (by paint, clip path, mask, filter or use): take one of \
         them away"
    )]
    Circle {
        /// The name of an element on the circle.
        element: String,
        /// Its id, empty if it has none.
        id: String,
    },
    /// The document has too many elements.
    #[error(
        "the drawing has {count} or more elements (each use of an element counts, be it as clip path or paint), the \
         limit is {MAX_XML_NODES}: split it"
    )]
    TooMany {
        /// How many elements it has.
        count: u64,
    },
    /// The images of the document are too much together.
    #[error(
        "the images of the drawing, and those in them, have more than {limit} {what} together, the limit (each use of a drawing that \
         is an image counts): use fewer of them"
    )]
    Images {
        /// What there is too much of.
        what: &'static str,
        /// The most of it that is taken.
        limit: u64,
    },
    /// The arcs of the document would become too many curves.
    #[error(
        "the arcs of the drawing's paths and shapes would become {count:.0} or more curves (beyond four each), the limit is \
         {MAX_CURVES_OF_ARC} an arc of a path and {MAX_CURVES} in all: take radii nearer to the size of the drawing"
    )]
    Arcs {
        /// How many curves, at least.
        count: f64,
    },
    /// Loading takes too long.
    #[error(
        "loading took more than {} s, the time limit: raise it (the command has --time-limit), or simplify the drawing",
        limit.as_secs_f64()
    )]
    TimeLimit {
        /// The limit.
        limit: Duration,
    },
    /// What loads drawings gave up in a way that it should not.
    #[error("the drawing cannot be loaded: {part} fails on it: {message}")]
    Panicked {
        /// Which part of the loader gave up.
        part: &'static str,
        /// What it said.
        message: String,
    },
    /// No thread could be started for the parser.
    #[error("cannot start a thread to parse in: {source}")]
    Thread {
        /// Why.
        source: std::io::Error,
    },
}

/// Why resvg draws nothing. What was to be drawn on then is as before.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// It would be more than resvg is asked to draw.
    #[error(transparent)]
    TooMuch(#[from] TooMuchToDraw),
    /// resvg gave up in a way that it should not.
    #[error("the picture cannot be drawn: resvg, which draws {part}, fails on it: {message}")]
    Panicked {
        /// What of the drawing it is.
        part: &'static str,
        /// What resvg said.
        message: String,
    },
    /// Drawing takes too long.
    #[error(
        "drawing took more than {} s, the time limit: take a smaller zoom or simplify the drawing, above all its filters",
        limit.as_secs_f64()
    )]
    TimeLimit {
        /// The limit.
        limit: Duration,
    },
    /// The picture was not wanted any more before it was drawn.
    #[error("the drawing was stopped")]
    Stopped,
    /// No thread could be started to draw in.
    #[error("cannot start a thread to draw in: {source}")]
    Thread {
        /// Why.
        source: std::io::Error,
    },
}

impl DrawError {
    /// Why drawing this part ended.
    pub(crate) fn of(part: &'static str, failure: Failure) -> Self {
        match failure {
            Failure::Panicked(message) => Self::Panicked { part, message },
            Failure::Late(limit) => Self::TimeLimit { limit },
            Failure::Stopped => Self::Stopped,
            Failure::Thread(source) => Self::Thread { source },
        }
    }
}

/// The deepest nesting of XML elements that is taken, as usvg has it.
pub(crate) const MAX_XML_DEPTH: u32 = 1024;

/// The most elements that are taken, as usvg has it.
pub(crate) const MAX_XML_NODES: u32 = 1_000_000;
