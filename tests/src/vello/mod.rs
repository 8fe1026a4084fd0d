//! Vello's scenes and pictures, and passes over buffers as Vello fills them.

mod limits;
mod passes;
mod pictures;
mod scenes;

pub use limits::{LIMIT_SIZE, deep_nest, page_of_clips};
pub use passes::{record_vello_pass, vello_buffers};
pub use pictures::{
    MAX_RUNS, Painters, new_renderer, params, picture_by, picture_on, picture_tightened, picture_view,
    pixels_apart, premultiplied_apart,
};
pub use scenes::{COMPOSE_MODES, SCENE_SIDE, checkered_image, vello_scenes};
