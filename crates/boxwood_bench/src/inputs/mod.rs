//! Synthetic inputs of any size, the same on every machine.

mod boxes;
mod families;
mod random;
mod scene;

pub use self::boxes::{BoxFamily, box_families, box_family};
pub use self::families::{Family, families, family};
pub(crate) use self::families::{extremes, selected_families};
pub use self::random::Random;
pub(crate) use self::scene::{bits, node_stream, scene};
