//! The algorithms of the papers as published, complete and tested: further variants of `Algorithm`,
//! `Matcher`, and `spatial::Sorter`.
//!
//! - `three_stage`: links, clip boxes, and group boxes one after the other in two levels, Levien
//!   2022, sections 6 and 7.
//! - `two_level`: parenthesis matching in two levels, Levien 2022, sections 7 and 8.
//! - `look_back`: parenthesis matching in a single pass, Levien 2021, "The stack monoid revisited".

pub(crate) mod look_back;
pub(crate) mod three_stage;
pub(crate) mod two_level;
