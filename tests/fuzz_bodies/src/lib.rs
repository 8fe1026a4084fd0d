//! The bodies of the fuzz targets: rules that must hold for any input.
//!
//! Each function turns bytes into an input, runs the code under test on it, and panics if a rule is
//! broken. The targets in the folder `fuzz` of the repository call the functions under libFuzzer.
//! `tests/replay.rs` calls them on the checked-in corpus of the fuzzer.
//!
//! - [`loader`] gets a drawing, and options for loading it. The drawing loads within the time limit
//!   or is refused. Its streams are consistent, and its boxes satisfy their definitions.
//! - [`path_streams`] gets a packed scene. It is refused or has path boxes. The box of a fill
//!   contains the ends of its segments, and the hull of its control points contains the box.
//! - [`style_sheets`] gets tokens of CSS, in a drawing that has the same elements with and without
//!   them.
//! - [`draw_tags`] gets draw tags and boxes. The results of every stage equal those of the
//!   definitions, which are computed by brute force.
//! - [`json_text`] gets a text. The verdict on it as JSON is that of `serde_json`, and its rows
//!   nest.

mod bytes;
mod draw_tags;
mod json;
mod loader;
mod path_streams;
mod style_sheets;

pub use draw_tags::{Stages, draw_tags, draw_tags_by};
pub use json::{Trees, json_text, json_text_by};
pub use loader::{check_drawing, ignore_panics_of_dependencies, loader, loader_input};
pub use path_streams::{path_streams, path_streams_by};
pub use style_sheets::style_sheets;
