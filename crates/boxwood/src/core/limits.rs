//! The limits on the size of a scene.

/// The invocations per workgroup of most shaders, and the number of partitions in a group.
pub const WORKGROUP_SIZE: u32 = 256;

/// The largest scene that an algorithm, a device, or a set of buffers can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum length of the node stream: the number of begins and ends.
    pub max_entries: u64,
    /// The maximum number of elements.
    pub max_elements: u64,
}

/// The error for a scene that is too large.
///
/// A limit of the device is one of two [limits of wgpu](wgpu::Limits):
///
/// - `max_buffer_size`: each array must fit in a buffer.
/// - `max_storage_buffer_binding_size`: each array must fit in a storage binding, except for the
///   arrays of the hierarchical algorithm that are bound in chunks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// The scene has too many begins and ends.
    #[error(
        "{need} begins and ends exceed {limit}, the maximum of the device (max_buffer_size and \
         max_storage_buffer_binding_size), or of buffers or an algorithm that were chosen for fewer: request a \
         device with higher limits, split the scene, or compute it on the CPU"
    )]
    Entries {
        /// The number that the scene has.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// The scene has too many elements.
    #[error(
        "{need} elements exceed {limit}, the maximum of the device (max_buffer_size and \
         max_storage_buffer_binding_size), or of buffers or an algorithm that were chosen for fewer: request a \
         device with higher limits, split the scene, or compute it on the CPU"
    )]
    Elements {
        /// The number that the scene has.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// A limit of the device is below WebGPU's default.
    #[error(
        "the limit {name} of the device is {have}, and Boxwood needs {need}: request the device with \
         `wgpu::Limits::default()`, or compute on the CPU"
    )]
    Device {
        /// The name of the limit in [`wgpu::Limits`].
        name: &'static str,
        /// The least value that Boxwood needs.
        need: u64,
        /// The value that the device has.
        have: u64,
    },
    /// The scene has more begins and ends than elements, but each of them is an element.
    #[error("a scene of {n_elements} elements cannot have {n_entries} begins and ends")]
    MoreEntriesThanElements {
        /// The number of elements.
        n_elements: u64,
        /// The number of begins and ends.
        n_entries: u64,
    },
}

impl Limits {
    /// Checks a scene of this size against the limits.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] with the limit that the scene exceeds.
    pub fn check(&self, n_elements: usize, n_entries: usize) -> Result<(), LimitsError> {
        check_entries(n_entries, self.max_entries)?;
        let (need, limit) = (n_elements as u64, self.max_elements);
        if need > limit { Err(LimitsError::Elements { need, limit }) } else { Ok(()) }
    }
}

/// The largest storage binding, in bytes, of a device with these limits.
pub fn max_binding_size(limits: &wgpu::Limits) -> u64 {
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}

/// Checks the number of begins and ends.
pub(crate) fn check_entries(n_entries: usize, limit: u64) -> Result<(), LimitsError> {
    let need = n_entries as u64;
    if need > limit { Err(LimitsError::Entries { need, limit }) } else { Ok(()) }
}

/// A count that the limits keep within a `u32`.
pub(crate) fn count(n: impl TryInto<u32, Error: std::fmt::Debug>) -> u32 {
    n.try_into().expect("the limits keep counts within u32")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_scene_beyond_each_limit_is_refused() {
        let limits = Limits { max_entries: 100, max_elements: 100 };
        assert_eq!(limits.check(100, 100), Ok(()));
        assert_eq!(limits.check(100, 101), Err(LimitsError::Entries { need: 101, limit: 100 }));
        assert_eq!(limits.check(101, 0), Err(LimitsError::Elements { need: 101, limit: 100 }));
    }
}
