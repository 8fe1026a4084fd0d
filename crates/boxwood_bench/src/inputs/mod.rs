//! Synthetic inputs of any size, the same on every machine.

mod families;
mod random;
mod scene;

pub use self::families::{Family, families, family};
pub use self::random::Random;
pub(crate) use self::scene::{bits, node_stream, nodes_of, scene, scene_of};
