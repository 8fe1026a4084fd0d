//! Synthetic inputs of any size, the same on every machine.

mod families;
mod random;
mod scene;

pub use self::families::{Family, families, family};
pub(crate) use self::families::{extremes, selected_families};
pub use self::random::Random;
pub(crate) use self::scene::{bits, node_stream, scene};
