//! The buffers of the stages.

use crate::core::program::{RESULT_USAGES, create_buffer};

/// The buffer `boxwood.spatial.{name}` with room for `n` items. It has at least 16 bytes, because
/// wgpu rejects empty bindings, and some shaders read a vector of four words.
pub(super) fn result_buffer<Item>(device: &wgpu::Device, name: &str, n: impl Into<u64>) -> wgpu::Buffer {
    let bytes = n.into() * size_of::<Item>() as u64;
    create_buffer(device, &format!("boxwood.spatial.{name}"), bytes.max(16), RESULT_USAGES)
}

/// Panics, because a shader binds a variable that its stage has no buffer for.
pub(super) fn no_buffer(variable: &str) -> ! {
    unreachable!("a shader binds `{variable}`, which is not a buffer of the stage")
}
