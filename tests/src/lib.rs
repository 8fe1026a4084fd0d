//! What the tests that cross Boxwood's crates share: the scenes they run, the device they run on, and how two results are
//! compared. The tests themselves are the modules of `tests/suite`.

mod compare;
mod device;
mod faults;
pub mod ground_truth;
mod program;
mod scenes;
mod twins;

pub use boxwood_bench::{Family, Random, families};
pub use compare::{assert_same, first_difference};
pub use device::{gpu, gpu_boxes, gpu_boxes_after, gpu_boxes_with, matchings_for, pipelines, read_words};
pub use faults::{Fault, assert_all_caught};
pub use program::program;
pub use scenes::{
    Boxes, LEAF_TAG, OUTERMOST_CLIP_BOX, elements, nest_clipped_outermost, row_with_far_leaves,
};
pub use twins::{Affine, Affine3, Matrix, Twin};
