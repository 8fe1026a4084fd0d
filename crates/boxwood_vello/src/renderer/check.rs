//! Checks of a frame before it is recorded.

use boxwood::max_binding_size;
use vello::{AaConfig, RenderParams};
use vello_encoding::Encoding;

use crate::error::Error;
use crate::memory::draw_info;
use crate::options::RendererOptions;

/// Refuses a frame for which Vello would panic or draw something else. Returns the number of words
/// of draw info of the scene.
pub(super) fn check(
    options: &RendererOptions,
    device: &wgpu::Limits,
    encoding: &Encoding,
    params: &RenderParams,
) -> Result<u64, Error> {
    let limit = device.max_texture_dimension_2d;
    let &RenderParams { width, height, antialiasing_method: antialiasing, .. } = params;
    if width.min(height) == 0 || width.max(height) > limit {
        return Err(Error::Target { width, height, limit });
    }
    let support = options.antialiasing_support;
    let is_compiled = match antialiasing {
        AaConfig::Area => support.area,
        AaConfig::Msaa8 => support.msaa8,
        AaConfig::Msaa16 => support.msaa16,
    };
    if !is_compiled {
        return Err(Error::Antialiasing(antialiasing));
    }
    if encoding.n_open_clips > 0 {
        return Err(Error::OpenLayers(encoding.n_open_clips));
    }
    let limit = (max_binding_size(device) / size_of::<u32>() as u64).min(u32::MAX.into());
    let need = n_packed_words(encoding);
    if need > limit {
        return Err(Error::Scene { part: "the packed streams of the scene", need, limit });
    }
    let n_info = draw_info::n_words(encoding);
    let need = n_info + encoding.draw_tags.len() as u64;
    if n_info > draw_info::vello_max() && need > limit {
        return Err(Error::Scene { part: draw_info::PART, need, limit });
    }
    Ok(n_info)
}

/// The number of words of a scene's packed streams, except padding and glyphs.
fn n_packed_words(encoding: &Encoding) -> u64 {
    let n_bytes = encoding.path_tags.len()
        + size_of_val(&encoding.path_data[..])
        + size_of_val(&encoding.draw_tags[..])
        + size_of_val(&encoding.draw_data[..])
        + size_of_val(&encoding.transforms[..])
        + size_of_val(&encoding.styles[..]);
    n_bytes as u64 / size_of::<u32>() as u64
}
