//! What can be wrong with a monoid, or with what is scanned.

use boxwood_layout::LimitsError;

/// Why a tree scan cannot be made, or cannot take an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeScanError {
    /// The monoid's text is not valid WGSL, or not together with the shaders that it is put into.
    #[error("line {line} of the monoid's WGSL: {message}")]
    Wgsl {
        /// The line of the text, from 1.
        line: u32,
        /// What is wrong there.
        message: String,
    },
    /// The monoid's text is valid WGSL, but declares not all that it must, or more than it may.
    #[error(
        "the monoid's WGSL {found}: declare `Value`, `fn identity() -> Value` and `fn combine(a: Value, b: Value) -> Value`"
    )]
    Declarations {
        /// What it has or lacks.
        found: String,
    },
    /// The monoid's text declares a function that WGSL has built in and the scan calls, which would then call the caller's.
    #[error("the monoid's WGSL declares `{name}`, which the scan calls itself: give it another name")]
    Name {
        /// The name.
        name: String,
    },
    /// The values are too large.
    #[error(
        "the monoid's `Value` takes {stride} bytes, the limit is {limit}: scan a part of it, or an index to it"
    )]
    Size {
        /// Bytes of a value.
        stride: usize,
        /// The most that there may be.
        limit: usize,
    },
    /// The values have another size in WGSL than the host says.
    #[error(
        "an array of the monoid's `Value` has a stride of {wgsl} bytes in WGSL, the stride given is {given}: give {wgsl}"
    )]
    Stride {
        /// Bytes in WGSL.
        wgsl: usize,
        /// Bytes as given.
        given: usize,
    },
    /// The input has not one value an entry of the node stream.
    #[error(
        "the input has {n_nodes} entries and {n_bytes} bytes of values, which are {stride} bytes each: give one an entry"
    )]
    Values {
        /// How many entries the node stream has.
        n_nodes: usize,
        /// Bytes of all values.
        n_bytes: usize,
        /// Bytes of a value.
        stride: usize,
    },
    /// The input is too large.
    #[error(transparent)]
    Limits(#[from] LimitsError),
}
