//! Measurements of Boxwood's algorithms on synthetic trees, beside the limits of the device in the same run: the copy of
//! words, dispatches that do nothing, the sequential algorithm, and Vello's own clip stage; and of whole
//! frames, with that stage and with Boxwood's.
//!
//! Each measurement is a [`Row`]. Times are the device's own timestamps around one compute pass; what a pass gave is compared
//! with the specification after it is timed. [`plot`] draws rows like Figures 4 and 5 of Levien 2022.

mod boxes;
mod ceiling;
mod check;
mod clip_stage;
mod clocks;
mod compare;
mod compute;
mod error;
mod families;
mod frames;
mod input;
mod matchers;
mod options;
mod parallel;
mod paths;
mod plot;
mod random;
mod row;
mod run;
mod session;
mod thresholds;
mod timer;
mod vello;

pub use check::{CheckOptions, Subject, Tally, check};
pub use error::BenchError;
pub use families::{Family, families};
pub use options::{Options, What};
pub use plot::plot;
pub use random::Random;
pub use row::{Check, Row, Seconds, read_csv, write_csv};
pub use run::{run, sweep};
pub use thresholds::update_thresholds;
