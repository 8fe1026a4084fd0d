//! The parts that all rooms share: limits, plans, kernels, programs, and read-back.

pub(crate) mod chunk;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod grid;
pub(crate) mod kernel;
pub(crate) mod limits;
pub(crate) mod plan;
pub(crate) mod program;
pub(crate) mod read_back;
pub(crate) mod spine;

pub(crate) use limits::WORKGROUP_SIZE;
