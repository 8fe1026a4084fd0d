//! Answers about SVG drawings as data, with the JSON that all front ends of Boxwood share.
//!
//! A front end, such as a command, a web page, or a binding to another language, loads a drawing
//! with [`boxwood_svg`], asks a question, and shows the answer:
//!
//! | question | answer |
//! |---|---|
//! | [`BoxesQuery`]: which boxes do elements have, and what is at a place? | [`Answer`] |
//! | [`explain()`]: why is an element visible, or not? | [`Explanations`] |
//! | [`FindingsQuery`]: what is wasted, or sticks out of the canvas? | [`Finding`]s |
//! | [`crop()`]: what is the drawing without the empty space around it? | its text |
//!
//! An [`Answer`], an [`Explained`] element, and a [`Finding`] implement [`serde::Serialize`]. Their
//! JSON has the members that docs/boxwood.schema.json describes, in the version [`SCHEMA`].
//!
//! ```
//! use boxwood_query::{BoxesQuery, place_at};
//!
//! let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
//!     <rect id="below" width="50" height="50"/><rect id="above" width="30" height="30"/></svg>"#;
//! let drawing = boxwood_svg::load(svg, &boxwood_svg::Options::default())?;
//! let query = BoxesQuery { place: Some(place_at([20.0, 20.0])?), ..BoxesQuery::default() };
//! let answer = serde_json::to_value(query.answer(&drawing)?)?;
//! assert_eq!(answer["unit"], "px");
//! assert_eq!(answer["rows"][0]["name"], "above");
//! assert_eq!(answer["rows"][1]["box"], serde_json::json!([0.0, 0.0, 50.0, 50.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Words
//!
//! Kinds of box, parts of object boxes, spaces, units, and kinds of finding have words that are the
//! same in all front ends. [`FromStr`](std::str::FromStr) parses them:
//!
//! ```
//! assert_eq!("clipped".parse(), Ok(boxwood_query::BoxKind::Clipped));
//! ```
//!
//! A binding to another language passes a whole question as words: see [`question`].
//!
//! # Elements
//!
//! A question names elements by [`Wanted`] ids and selectors. It is not an error if a drawing does
//! not have one of them, unless the drawing is cropped: the answer has a list of those that are
//! missing.

mod clips;
mod crop;
mod explained;
mod findings;
mod ink;
mod json;
mod numbers;
mod place;
mod position;
mod query;
pub mod question;
mod rows;
mod units;
mod wanted;
mod words;

pub use boxwood_cpu::Place;
pub use boxwood_svg::{Include, Selector, SelectorError};

pub use clips::ClipAround;
pub use crop::{CropError, Margin, crop};
pub use explained::{Explained, Explanations, box_area, explain};
pub use findings::{Finding, FindingKind, FindingsQuery, Outside};
pub use ink::Ink;
pub use numbers::Numbers;
pub use place::{PlaceError, place_at, place_within};
pub use position::DocumentPosition;
pub use query::{Answer, BoxWarning, BoxesQuery, Naming, QueryError, warnings};
pub use rows::BoxRow;
pub use units::{Length, LengthError, Unit};
pub use wanted::{NotFound, Search, Wanted};
pub use words::{BoxKind, ObjectPart, Space, UnknownWord};

/// The version of the JSON of all answers, and of the command's documents. It increases when a
/// member changes its meaning or is removed.
pub const SCHEMA: u32 = 6;
