//! Joins and caps, from the flags of `vello_encoding::Style`.

use super::thresholds::MAX_MITER_LIMIT;

/// How two segments meet.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Join {
    Bevel,
    /// The maximum length of a miter, in line widths.
    Miter(f32),
    Round,
}

/// How a subpath ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cap {
    Butt,
    Square,
    Round,
}

/// The cap for two bits of a style's flags.
pub(super) fn cap_of(bits: u32) -> Cap {
    match bits & 3 {
        1 => Cap::Square,
        2 => Cap::Round,
        _ => Cap::Butt,
    }
}

/// The join for a style's flags.
pub(super) fn join_of(flags: u32) -> Join {
    match (flags >> 28) & 3 {
        1 => Join::Miter(miter_limit(flags & 0xffff)),
        2 => Join::Round,
        _ => Join::Bevel,
    }
}

/// The number with these bits as `f16`. Subnormal numbers count as 0.
fn miter_limit(bits: u32) -> f32 {
    match (bits >> 10) & 31 {
        0 => 0.0,
        31 => MAX_MITER_LIMIT,
        biased => f32::from_bits((biased + 112) << 23 | (bits & 0x3ff) << 13),
    }
}
