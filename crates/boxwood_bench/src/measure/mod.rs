//! Running dispatches on a device, timing them, and comparing their results.

mod clocks;
mod compare;
mod compute;
mod timer;

pub(crate) use self::compare::{Comparer, Difference};
pub(crate) use self::compute::{bind, buffer, checked_pipeline, unchecked_pipeline};
pub(crate) use self::timer::{Timer, fitting_runs, time_on_cpu};
