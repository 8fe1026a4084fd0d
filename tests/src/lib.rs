//! What the tests that cross Boxwood's crates share: the scenes they run, the device they run on, and how two results are
//! compared. The tests themselves are the modules of `tests/suite`.

mod compare;
mod device;
mod families;
mod program;
mod random;
mod scenes;

pub use compare::{assert_same, first_difference};
pub use device::{gpu, gpu_boxes, gpu_boxes_with, pipelines};
pub use families::{Family, families};
pub use program::program;
pub use random::Random;
pub use scenes::{Boxes, LEAF_TAG, OUTERMOST_CLIP_BOX, elements, nest_clipped_outermost};
