//! The buffers of the stages.

use super::check::check_result;
use super::error::SpatialError;
use crate::core::limits::max_binding_size;
use crate::core::program::{RESULT_USAGES, create_buffer};

/// The buffer `boxwood.spatial.{name}` with room for `n` items. It has at least 16 bytes, because
/// wgpu rejects empty bindings, and some shaders read a vector of four words.
///
/// # Errors
///
/// [`SpatialError::TooLarge`] if a shader cannot bind all of it. The shaders do not check their
/// indices, so a part of it would not be enough.
pub(super) fn result_buffer<Item>(
    device: &wgpu::Device,
    name: &'static str,
    n: impl Into<u64>,
) -> Result<wgpu::Buffer, SpatialError> {
    let n = n.into();
    check_result::<Item>(name, n, max_binding_size(&device.limits()))?;
    let bytes = n * size_of::<Item>() as u64;
    Ok(create_buffer(device, &format!("boxwood.spatial.{name}"), bytes.max(16), RESULT_USAGES))
}

/// Panics, because a shader binds a variable that its stage has no buffer for.
pub(super) fn no_buffer(variable: &str) -> ! {
    unreachable!("a shader binds `{variable}`, which is not a buffer of the stage")
}
