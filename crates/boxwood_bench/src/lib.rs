//! Measurements and checks of Boxwood's algorithms on synthetic trees.
//!
//! [`sweep`] measures the algorithms and the limits of the device in the same run: a copy of words,
//! empty dispatches, the engine on the CPU, the specification, and Vello's own clip stage. It also
//! measures whole frames with either clip stage. Each measurement is a [`Row`]. Times are the
//! device's timestamps around one compute pass. Results are compared with the specification after
//! the timing.
//!
//! [`plot`] draws rates, in the form of figures 4 and 5 of Levien 2022, and times. [`check`]
//! compares the algorithms for trees and scenes with their specification, at any size.

mod check;
mod error;
mod measure;
mod record;
mod sweep;

pub use check::{CheckOptions, Subject, Tally, check};
pub use error::BenchError;
pub use record::{Check, Row, is_on_all_cores, plot, read_csv, write_csv};
pub use sweep::{Options, What, json_text, sweep};
