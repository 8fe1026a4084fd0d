//! The input and the result of parenthesis matching, as buffers of a plan.

use crate::core::plan::Slot;

/// The buffers of every algorithm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    pub(super) config: Slot,
    pub(super) begin_bits: Slot,
    pub(super) matches: Slot,
}
