//! The sizes of Vello's buffers, where Vello's own choice is too small.

pub(crate) mod draw_info;
mod sizes;

pub(crate) use sizes::Sizes;
