//! The suite: one binary, so that it is linked once and its tests share one device.

mod bench;
mod cases;
mod corpus;
mod dependencies;
mod golden;
mod ground_truth;
mod layout;
mod look_back;
mod matchers;
mod mutation;
mod parity;
mod path_bounds;
mod path_bounds_faults;
mod path_bounds_to_stage;
mod pictures;
mod property;
mod tree_scan;
mod vello_clip;
mod vello_limits;
mod vello_overflow;
mod vello_pictures;
mod vello_tighten;
mod window;
