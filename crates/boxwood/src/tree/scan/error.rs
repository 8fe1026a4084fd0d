//! The errors of a tree scan.

use crate::core::limits::LimitsError;

/// The reason why a tree scan cannot be compiled, or cannot take an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeScanError {
    /// The monoid's text is not valid WGSL, or not valid together with a shader of the scan.
    #[error("line {line} of the monoid's WGSL: {message}")]
    Wgsl {
        /// The line of the text, starting at 1.
        line: u32,
        /// The fault there.
        message: String,
    },
    /// The monoid's text is valid WGSL, but lacks a declaration, or has one that is not allowed.
    #[error(
        "the monoid's WGSL {found}: declare `Value`, `fn identity() -> Value`, and `fn combine(a: Value, b: Value) -> Value`"
    )]
    Declarations {
        /// The declaration that it has or lacks.
        found: String,
    },
    /// The monoid's text declares a function with the name of another one that the scan calls, such
    /// as a built-in function of WGSL.
    #[error("the monoid's WGSL declares `{name}`, a function that the scan itself calls: use another name")]
    Name {
        /// The name.
        name: String,
    },
    /// The values are too large.
    #[error(
        "the monoid's `Value` takes {stride} bytes, but the maximum is {limit}: scan a part of it, or an index"
    )]
    Size {
        /// Bytes per value.
        stride: usize,
        /// The maximum.
        limit: usize,
    },
    /// The stride that the caller gives differs from that in WGSL.
    #[error(
        "an array of the monoid's `Value` has a stride of {wgsl} bytes in WGSL, but the given stride is {given}: use {wgsl}"
    )]
    Stride {
        /// The stride in WGSL, in bytes.
        wgsl: usize,
        /// The given stride, in bytes.
        given: usize,
    },
    /// The input does not have one value per entry of the node stream.
    #[error(
        "the input has {n_entries} entries and {n_bytes} bytes of values of {stride} bytes each: give one value per entry"
    )]
    Values {
        /// The length of the node stream.
        n_entries: usize,
        /// The bytes of all values.
        n_bytes: usize,
        /// The bytes of one value.
        stride: usize,
    },
    /// The input is too large.
    #[error(transparent)]
    Limits(#[from] LimitsError),
}
