//! The reasons why a stage cannot be made or run.

/// The error for an input that a stage cannot take. Nothing has been allocated or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpatialError {
    /// There are too many items for the buffers or the device.
    #[error(
        "{need} items exceed {limit}, the maximum of the buffer `{buffer}` and the device (max_buffer_size \
         and max_storage_buffer_binding_size): use a larger buffer, split the input, or compute it on the CPU"
    )]
    TooLarge {
        /// The buffer without room.
        buffer: &'static str,
        /// The number of items.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// A parameter is too large.
    #[error("`{name}` is {value}, which exceeds the maximum of {limit}: choose a smaller one")]
    OutOfRange {
        /// The name of the parameter.
        name: &'static str,
        /// Its value.
        value: u64,
        /// The maximum.
        limit: u64,
    },
    /// The stage reads the number of items from a buffer of the caller or of another stage.
    #[error("the number of items is not this stage's own: set it where it comes from")]
    CountOfCaller,
    /// The adapter is a software adapter, which could cut off a walk over a tree of boxes.
    #[error(
        "a walk over the tree can take {need} rounds, but llvmpipe ends the loops of a shader after \
         {limit}: use another adapter, split the input, or compute it on the CPU"
    )]
    TooManyRounds {
        /// The maximum number of rounds of a walk.
        need: u64,
        /// The number of rounds that are safe.
        limit: u64,
    },
    /// A binary tree needs the keys of a curve.
    #[error("the leaves of the index are in paint order, and have no keys: choose another order")]
    PaintOrder,
}
