//! The checks of inputs, before anything is allocated.

use super::error::SpatialError;

/// The maximum number of items, so that the sum of an index and the length of a partition is a
/// `u32`.
pub(crate) const MAX_ITEMS: u64 = u32::MAX as u64 / 2;

/// Checks that a parameter is in its range.
pub(super) fn check_range(name: &'static str, value: u32, limit: u32) -> Result<(), SpatialError> {
    let [value, limit] = [value, limit].map(u64::from);
    if value > limit { Err(SpatialError::OutOfRange { name, value, limit }) } else { Ok(()) }
}

/// Checks that an algorithm can process `need` items.
pub(crate) fn check_items(need: impl Into<u64>, limit: u64) -> Result<(), SpatialError> {
    let need = need.into();
    if need > limit { Err(SpatialError::TooManyItems { need, limit }) } else { Ok(()) }
}

/// Checks that a buffer has room.
pub(crate) fn check_room(buffer: &'static str, need: u64, limit: u64) -> Result<(), SpatialError> {
    if need > limit { Err(SpatialError::TooLarge { buffer, need, limit }) } else { Ok(()) }
}

/// Checks that a buffer of the caller has room for `n` items in the `binding` bytes that a shader
/// can bind. A shader binds at least one item, even if there are none.
pub(super) fn check_input<Item>(
    name: &'static str,
    buffer: &wgpu::Buffer,
    n: u32,
    binding: u64,
) -> Result<(), SpatialError> {
    check_room(name, n.max(1).into(), buffer.size().min(binding) / size_of::<Item>() as u64)
}

/// Checks that a result of `n` items fits in the `binding` bytes that a shader can bind.
pub(crate) fn check_result<Item>(
    name: &'static str,
    n: impl Into<u64>,
    binding: u64,
) -> Result<(), SpatialError> {
    check_room(name, n.into(), binding / size_of::<Item>() as u64)
}
