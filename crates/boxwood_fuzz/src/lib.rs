//! What must hold whatever the bytes: the bodies of the fuzz targets.
//!
//! Each function takes any bytes, makes an input of them, gives it to the code under test, and panics where a rule is broken. The
//! targets in the folder `fuzz` of the repository call them under libFuzzer; `tests/replay.rs` calls them on what is checked in of
//! the fuzzer's corpus.
//!
//! | function | bytes become | what must hold |
//! |---|---|---|
//! | [`loader`] | a drawing, and how to load it | it loads in time or is refused; its streams agree; its boxes are those of the rules |
//! | [`path_streams`] | a packed scene | it is refused or bounded; fills hold their ends and stay in the hull of their control points |
//! | [`brackets`] | draw tags and boxes | every stage gives what its definition says, worked out in the slowest way |

mod brackets;
mod bytes;
mod loader;
mod path_streams;

pub use brackets::{Stages, brackets, brackets_by};
pub use loader::{check_drawing, loader, loader_input, pass_over_dependencies};
pub use path_streams::{path_streams, path_streams_by};
