//! Why a measurement or a plot was not made.

use std::io;

/// Why a measurement or a plot was not made.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// There is no device.
    #[error(transparent)]
    Gpu(#[from] boxwood::native::GpuError),
    /// The device does not hold an input that it said to hold.
    #[error(transparent)]
    Limits(#[from] boxwood::LimitsError),
    /// The results could not be read.
    #[error(transparent)]
    ReadBack(#[from] boxwood::ReadBackError),
    /// The device no longer answers.
    #[error("the device does not answer, it may be lost")]
    Poll(#[from] wgpu::PollError),
    /// No family has this name.
    #[error("no family is called \"{name}\"; there are: {known}")]
    NoSuchFamily {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// There is no size to run.
    #[error("--min {min} is above --max {max}: no size is left")]
    NoSize {
        /// The least size asked for, as the logarithm to base 2.
        min: u32,
        /// The largest.
        max: u32,
    },
    /// An output could not be written.
    #[error("the measurements are not written")]
    Output(#[source] io::Error),
    /// A line of a table of measurements cannot be read.
    #[error("line {line} is not a row of measurements: {reason}")]
    Csv {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A renderer could not be made, or a frame not drawn.
    #[error("no frame is drawn: {0}")]
    Frame(String),
    /// A plot could not be drawn.
    #[error("the plot cannot be drawn: {0}")]
    Plot(String),
}
