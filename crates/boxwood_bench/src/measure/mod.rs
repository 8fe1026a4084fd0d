//! Running dispatches on a device, timing them, and comparing their results.

mod clocks;
mod compare;
mod compute;
mod timer;
mod trees;

pub(crate) use self::compare::{boxes_difference, difference};
#[cfg(feature = "anchors")]
pub(crate) use self::compute::begin_pass;
pub(crate) use self::compute::{Kernel, buffer, uploaded};
#[cfg(feature = "anchors")]
pub(crate) use self::timer::time_on_cpu_after;
pub(crate) use self::timer::{Timer, fitting_runs, time_on_cpu};
pub(crate) use self::trees::{IndexNodes, LbvhNodes};
