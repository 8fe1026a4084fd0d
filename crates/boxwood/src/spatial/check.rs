//! The checks of numbers, before anything is allocated. Plans check the buffers.

use super::error::SpatialError;
use crate::core::plan::NoRoom;

/// The maximum number of items, so that the sum of an index and the length of a partition is a
/// `u32`.
pub(crate) const MAX_ITEMS: u64 = u32::MAX as u64 / 2;

/// Checks that a parameter is in its range.
pub(crate) fn check_range(name: &'static str, value: u32, limit: u32) -> Result<(), SpatialError> {
    let [value, limit] = [value, limit].map(u64::from);
    if value > limit { Err(SpatialError::OutOfRange { name, value, limit }) } else { Ok(()) }
}

/// Checks that an algorithm can process `need` items.
pub(crate) fn check_items(need: impl Into<u64>, limit: u64) -> Result<(), SpatialError> {
    let need = need.into();
    if need > limit { Err(SpatialError::TooManyItems { need, limit }) } else { Ok(()) }
}

impl From<NoRoom> for SpatialError {
    fn from(NoRoom { buffer, need, limit }: NoRoom) -> Self {
        Self::TooLarge { buffer, need, limit }
    }
}
