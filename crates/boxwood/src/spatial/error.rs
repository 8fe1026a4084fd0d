//! The reasons why a stage cannot be made or run.

/// The error for an input that a stage cannot take. No stage is made, and no buffer of the caller
/// is changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpatialError {
    /// A buffer has no room for the items, or the device cannot bind as many at once.
    #[error(
        "{need} items exceed {limit}, the maximum of the buffer `{buffer}` and the device (max_buffer_size \
         and max_storage_buffer_binding_size): use a larger buffer or a smaller capacity, split the input, or \
         compute it on the CPU"
    )]
    TooLarge {
        /// The buffer without room.
        buffer: &'static str,
        /// The number of items.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// There are more items than an algorithm can process on any device.
    #[error(
        "{need} items exceed {limit}, the maximum of the algorithm: use another algorithm, split the input, \
         or compute it on the CPU"
    )]
    TooManyItems {
        /// The number of items.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// There are more items than the stage was made for.
    #[error("{n} items exceed {capacity}, the capacity of the stage: create it with a larger capacity")]
    AboveCapacity {
        /// The number of items.
        n: u32,
        /// The capacity.
        capacity: u32,
    },
    /// The word with the number of items is outside of its buffer.
    #[error(
        "the number of items is in word {word}, but a shader can bind only {n_words} words of its buffer: \
         use a larger buffer or an earlier word"
    )]
    CountOutside {
        /// The index of the word.
        word: u32,
        /// The number of words that a shader can bind.
        n_words: u64,
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
    #[error(
        "this stage reads the number of items from a buffer: write it there, or set it in the stage that \
         owns the buffer"
    )]
    CountOfCaller,
    /// Without partners, both frames have the same number of elements.
    #[error(
        "without partners, both frames have the same number of elements: pass the same count and capacity \
         for both, and set the number with `set_count`"
    )]
    NoPartners,
    /// The adapter is a software adapter, which could cut off a walk over a tree of boxes.
    #[error(
        "a walk over the tree can take {need} rounds, but a software adapter such as llvmpipe can end the \
         loops of a shader after {limit}: use another adapter, split the input, or compute it on the CPU"
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
