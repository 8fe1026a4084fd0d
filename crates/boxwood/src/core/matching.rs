//! What the algorithms for parenthesis matching have in common.

use super::schedule::{BufferLayout, Per, Stage};

/// The properties of an algorithm. See the methods of `Matcher`.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) name: &'static str,
    pub(crate) partition_length: u32,
    pub(crate) max_entries: u64,
    pub(crate) stage: Stage,
}

/// The result of every algorithm. It has room for a multiple of four entries, because some shaders
/// store four at a time.
pub(crate) const MATCHES: BufferLayout = BufferLayout::of::<[i32; 4]>("matches", Per::EntryQuad);
