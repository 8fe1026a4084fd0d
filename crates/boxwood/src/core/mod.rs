//! What all rooms share: limits, schedules, kernels, programs, and read-back.

pub(crate) mod chunk;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod kernel;
pub(crate) mod limits;
#[cfg(feature = "tree")]
pub(crate) mod matching;
pub(crate) mod program;
pub(crate) mod read_back;
pub(crate) mod schedule;
pub(crate) mod thresholds;

pub(crate) use limits::WORKGROUP_SIZE;
