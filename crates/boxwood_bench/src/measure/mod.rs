//! Running dispatches on a device, timing them, and comparing their results.

mod clocks;
mod compare;
mod compute;
mod timer;

pub(crate) use self::compare::{boxes_difference, difference};
pub(crate) use self::compute::{Kernel, buffer, uploaded};
pub(crate) use self::timer::{Timer, fitting_runs, time_on_cpu};
