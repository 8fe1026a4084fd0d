//! Joins and caps, as the flags of `vello_encoding::Style` say them.

use super::arithmetic::power_of_two;

/// How two segments meet.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Join {
    Bevel,
    /// With the limit of the miter's length, in widths of the line.
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

/// The cap that two bits of a style's flags mean.
pub(super) fn cap_of(bits: u32) -> Cap {
    match bits & 3 {
        1 => Cap::Square,
        2 => Cap::Round,
        _ => Cap::Butt,
    }
}

/// The join that a style's flags mean.
pub(super) fn join_of(flags: u32) -> Join {
    match (flags >> 28) & 3 {
        1 => Join::Miter(miter_limit(flags & 0xffff)),
        2 => Join::Round,
        _ => Join::Bevel,
    }
}

/// The number of 16 bits: what is subnormal is 0, what is not finite is 2²⁴.
fn miter_limit(bits: u32) -> f32 {
    match (bits >> 10) & 31 {
        0 => 0.0,
        31 => power_of_two(24),
        biased => f32::from_bits((biased + 112) << 23 | (bits & 0x3ff) << 13),
    }
}
