//! The algorithms of the papers as published, complete and tested. Most are further variants of
//! `Algorithm`, `Matcher`, and `spatial::Sorter`.
//!
//! - `three_stage`: links, clip boxes, and group boxes one after the other in two levels, Levien
//!   2022, sections 6 and 7.
//! - `two_level`: parenthesis matching in two levels, Levien 2022, sections 7 and 8.
//! - `look_back`: parenthesis matching in a single pass, Levien 2021, "The stack monoid revisited".
//! - [`stream_reduction`]: Roger, Assarsson, Holzschuch 2007, and Horn 2005.

pub(crate) mod look_back;
pub mod stream_reduction;
pub(crate) mod three_stage;
pub(crate) mod two_level;
