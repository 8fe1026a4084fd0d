//! The algorithms of the papers as published that are not variants of others.
//!
//! - [`stream_reduction`]: Roger, Assarsson, Holzschuch 2007, and Horn 2005.
//!
//! The others are variants of [`Algorithm`](crate::Algorithm), [`Matcher`](crate::tree::Matcher), and
//! [`Sorter`](crate::spatial::Sorter), in the same rooms as these.

pub mod stream_reduction;
