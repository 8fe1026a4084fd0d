//! Boxwood's stages on Vello's buffers, and the renderer around them.

mod clip;
mod clip_faults;
mod compose;
mod deferred;
mod draw_info;
mod drop_in;
mod frame_boxes;
mod images;
mod limits;
mod occlusion;
mod overflow;
mod pictures;
mod startup;
mod tighten;
mod vellos_limits;
