//! Errors of loading and of drawing.
//!
//! A message never contains the message of its [source](std::error::Error::source): print the whole
//! chain.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use boxwood_anyrender::encoding::EncodingError;
use boxwood_cpu::SceneError;

/// Why a drawing cannot be loaded or drawn.
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
    Reader(#[source] std::io::Error),
    /// A font folder cannot be listed.
    #[error("cannot list the font folder {}", dir.display())]
    FontDir {
        /// The path of the folder.
        dir: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A font that a program has given cannot be read.
    #[error("font {} cannot be read: give it as TrueType, OpenType, or WOFF", index + 1)]
    Font {
        /// Its position among the fonts, starting at 0.
        index: usize,
    },
    /// The file was read, but its contents cannot be loaded.
    #[error("cannot load {}", path.display())]
    InFile {
        /// The path of the file.
        path: PathBuf,
        /// The error in the contents.
        source: Box<Self>,
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
    Gzip(#[source] std::io::Error),
    /// The text is not UTF-8.
    #[error("the text is not UTF-8 (first invalid byte at offset {offset}): save the file as UTF-8")]
    NotUtf8 {
        /// The offset of the first invalid byte.
        offset: usize,
    },
    /// The text is not in its encoding, or the name of the encoding is unknown.
    #[error("the text is not in the encoding {name}: save the file as UTF-8")]
    Encoding {
        /// The name of the encoding.
        name: String,
    },
    /// The text is not XML.
    #[error("the text is not well-formed XML: {message}")]
    Xml {
        /// The message of the XML parser, which names line and column.
        message: String,
        /// The line and the column, in characters, of the error in the text. Both start at 1.
        position: Option<[u32; 2]>,
    },
    /// No element is that of [`Only`](crate::Only).
    #[error("no element has the id or path `{name}`, or matches it as a selector")]
    NotFound {
        /// The id, path or selector.
        name: String,
    },
    /// Nothing that is drawn is that of [`Only`](crate::Only).
    #[error(
        "nothing of `{name}` is drawn where it is: it is not displayed, no graphics, or a definition; name an element \
         that refers to it"
    )]
    NotDrawn {
        /// The id, path or selector.
        name: String,
    },
    /// The root element is not `svg`.
    #[error("the root element is <{name}>, not <svg>")]
    NotSvg {
        /// The name of the root element.
        name: String,
    },
    /// The width or height of the drawing is zero, negative, or too large for an `f32`.
    #[error("the drawing has no valid size: its {attributes} must be positive and less than 3.4e38")]
    InvalidSize {
        /// The attributes that are wrong.
        attributes: &'static str,
    },
    /// The encoding of a drawing was edited, and cannot be drawn.
    #[error("cannot draw the encoding of the drawing")]
    NotEncoded(#[from] EncodingError),
    /// The drawing exceeds a limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
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
    /// The work took too long.
    #[error("{work} took more than {} s, the time limit: {}", limit.as_secs_f64(), work.texts().1)]
    TimeLimit {
        /// The work that took too long.
        work: Work,
        /// The time limit.
        limit: Duration,
    },
    /// The caller cancelled the work.
    #[error("{0} was cancelled")]
    Cancelled(Work),
    /// This crate, usvg or resvg panicked.
    #[error("{program} crashed on {part}: {message}")]
    Panicked {
        /// The program that panicked.
        program: &'static str,
        /// The part of the drawing that it worked on.
        part: &'static str,
        /// The message of the panic.
        message: String,
    },
    /// The loader produced an invalid scene.
    #[error("the loader produced an invalid scene, which is a bug: report it with the drawing")]
    Scene(#[from] SceneError),
    /// No thread could be started.
    #[error("cannot start a thread")]
    Thread(#[source] std::io::Error),
}

/// The work that an error ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// [`load`](crate::load()) loaded a drawing.
    Loading,
    /// resvg drew a drawing, or its raster images.
    Drawing,
}

impl Work {
    /// The name of the work, and how to finish it within the time limit.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Loading => ("loading", "raise it (the command has --time-limit), or simplify the drawing"),
            Self::Drawing => ("drawing", "use a smaller zoom or simplify the drawing, its filters first"),
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.texts().0)
    }
}

/// A drawing exceeds a limit of what is loaded or drawn.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the drawing has {} {}, the limit is {limit:.0}: {}", self.amount(), quantity.texts().0, quantity.texts().1)]
pub struct LimitError {
    /// The quantity that is too large.
    pub quantity: Quantity,
    /// The quantity of the drawing, as far as it was counted.
    pub count: f64,
    /// The largest quantity that is accepted.
    pub limit: f64,
}

impl LimitError {
    /// The largest count that is printed: an `f64` has every whole number up to 2^53, which is more
    /// than 9e15. Counts of elements stop at 2^64.
    const MAX_PRINTED: f64 = 9e15;

    /// The count for people.
    fn amount(&self) -> String {
        let Self { quantity, count, .. } = self;
        if *count > Self::MAX_PRINTED {
            return format!("more than {:e}", Self::MAX_PRINTED);
        }
        format!("{}{count:.0}", if quantity.is_counted_in_part() { "at least " } else { "" })
    }
}

/// A quantity of a drawing that has a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Bytes of the input.
    Bytes,
    /// Bytes of decompressed SVGZ data.
    DecompressedBytes,
    /// Bytes of the document once its entities are expanded.
    ExpandedBytes,
    /// Attributes of one element.
    Attributes,
    /// Attributes that elements have by default, by the internal subset.
    Defaults,
    /// Levels of nested elements, including the elements that they use and refer to.
    Depth,
    /// Elements, including those that they use and refer to.
    Elements,
    /// Curves that approximate one arc of a path.
    CurvesOfArc,
    /// Curves that approximate all arcs.
    CurvesOfArcs,
    /// Uses of SVG images.
    SvgImages,
    /// Elements of SVG images, once per use.
    ImageElements,
    /// Bytes of images.
    ImageBytes,
    /// Levels of nested groups, patterns, masks and clip paths to draw.
    DrawnDepth,
    /// Elements to draw.
    DrawnElements,
    /// Pixels of one pattern tile.
    TilePixels,
    /// Pixels of all pattern tiles.
    AllTilePixels,
    /// Steps of filters, of about a nanosecond each.
    FilterSteps,
}

impl Quantity {
    /// An error if a count of this quantity exceeds the limit, or is NaN.
    pub(crate) fn check(self, count: f64, limit: f64) -> Result<(), LimitError> {
        if count <= limit { Ok(()) } else { Err(LimitError { quantity: self, count, limit }) }
    }

    /// Whether counting may end where the limit is exceeded.
    const fn is_counted_in_part(self) -> bool {
        matches!(
            self,
            Self::Bytes
                | Self::DecompressedBytes
                | Self::Depth
                | Self::Elements
                | Self::CurvesOfArcs
                | Self::SvgImages
                | Self::ImageElements
                | Self::ImageBytes
        )
    }

    /// The name of the quantity, and how to reduce it.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Bytes => ("bytes", "split it"),
            Self::DecompressedBytes => ("bytes once it is decompressed", "split it"),
            Self::ExpandedBytes => ("bytes once its entities are expanded", "use entities less often"),
            Self::Attributes => ("attributes of one element", "remove some"),
            Self::Defaults => ("attributes by default", "declare fewer default values"),
            Self::Depth => ("levels of nested elements (following uses and references)", "flatten it"),
            Self::Elements => ("elements (counted once per use or reference)", "split it"),
            Self::CurvesOfArc => ("curves in one arc of a path", "use smaller radii"),
            Self::CurvesOfArcs => ("curves in its arcs", "use smaller radii"),
            Self::SvgImages => ("SVG images (counted once per use)", "use fewer of them"),
            Self::ImageElements => ("elements in SVG images (counted once per use)", "use fewer of them"),
            Self::ImageBytes => ("bytes of images", "use fewer or smaller ones"),
            Self::DrawnDepth => ("levels of nested groups, patterns, masks and clip paths", "flatten it"),
            Self::DrawnElements => (
                "elements (counted as often as patterns, masks and clip paths draw them)",
                "nest fewer patterns, masks and clip paths",
            ),
            Self::TilePixels => ("pixels in one pattern tile", "use a smaller zoom or tile"),
            Self::AllTilePixels => (
                "pixels in pattern tiles (counted as often as they are drawn)",
                "use a smaller zoom or fewer patterns",
            ),
            Self::FilterSteps => (
                "steps of filters (of about a nanosecond each)",
                "use a smaller zoom, or smaller filter regions, radii and kernels",
            ),
        }
    }
}
