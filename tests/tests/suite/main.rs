//! The suite: one binary, so that it is linked once.

mod bench;
mod dependencies;
mod drawings;
mod golden;
mod layout;
mod paths;
mod scene;
mod tree;
mod uniformity;
mod vello_auto;
mod vello_clip;
mod vello_draw_info;
mod vello_frame_boxes;
mod vello_limits;
mod vello_overflow;
mod vello_pictures;
mod vello_tighten;
mod window;
