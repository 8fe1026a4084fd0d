//! The boxes of a scene: links, clip boxes, clipped boxes, and group boxes, recorded into the
//! caller's encoder.
//!
//! In: one draw tag and one box per element. Out: buffers in the layouts of
//! [`Boxes`](crate::Boxes). Specification: [`boxwood_cpu::specification::boxes`], whose results
//! these equal bit for bit.

mod algorithm;
mod compact;
mod fused;
mod outputs;
mod scene_boxes;
mod schedule;
mod slots;
mod small;
#[cfg(feature = "papers")]
mod three_stage;

pub use algorithm::{Algorithm, MAX_PARTITIONS_PER_INVOCATION, SMALL_MAX_ELEMENTS, TWO_LEVEL_MAX_ELEMENTS};
pub use outputs::Outputs;
pub use scene_boxes::{SceneBoxes, UpdateError};
pub use schedule::{Schedule, ScheduledBuffer, ScheduledDispatch};
