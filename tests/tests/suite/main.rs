//! The suite: one binary, so that it is linked once.

mod bench;
mod dependencies;
mod drawings;
mod golden;
mod layout;
mod path_bounds;
mod path_bounds_faults;
mod path_bounds_fill_scenes;
mod path_bounds_filter;
mod path_bounds_stroke_faults;
mod path_bounds_stroke_scenes;
mod path_bounds_to_stage;
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
