//! The spatial stages against their specifications.

mod select;
