//! Time limits and cancellation.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::{Error, Work};
use crate::guard::limits::{CLOCK_INTERVAL, TIME_LIMIT};

/// When work that is not done yet is given up: at a point in time, or when it is cancelled.
#[derive(Clone, Debug)]
pub struct Deadline {
    start: Instant,
    limit: Option<Duration>,
    pub(crate) cancel: CancelToken,
}

impl Deadline {
    /// A deadline that passes after the time limit, counted from now. Without a limit it never
    /// passes.
    pub fn after(limit: Option<Duration>) -> Self {
        Self { start: Instant::now(), limit, cancel: CancelToken::default() }
    }

    /// The same deadline, or earlier if `cancel` is set.
    pub fn or_cancelled_by(self, cancel: CancelToken) -> Self {
        Self { cancel, ..self }
    }

    /// The point in time and the time limit that it comes from, `None` without a limit.
    pub(crate) fn end(&self) -> Option<(Instant, Duration)> {
        let limit = self.limit?;
        Some((self.start.checked_add(limit)?, limit))
    }
}

/// A minute from now.
impl Default for Deadline {
    fn default() -> Self {
        Self::after(Some(TIME_LIMIT))
    }
}

/// Cancels work from another thread. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Cancels the work, or allows the work that comes next.
    pub fn set(&self, is_cancelled: bool) {
        self.0.store(is_cancelled, Ordering::Relaxed);
    }

    /// Whether the work is cancelled.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tells a recursive function whether to go on. It looks at the clock only once in
/// [`CLOCK_INTERVAL`] steps.
#[derive(Default)]
pub(crate) struct Clock {
    end: Option<(Instant, Duration)>,
    steps: Cell<u32>,
    is_over: Cell<bool>,
}

impl Clock {
    /// A clock that runs until a deadline. The default one runs for ever.
    pub(crate) fn until(deadline: &Deadline) -> Self {
        Self { end: deadline.end(), ..Self::default() }
    }

    /// Counts a step. Returns whether the deadline has passed.
    pub(crate) fn is_over(&self) -> bool {
        self.steps.set(self.steps.get().wrapping_add(1));
        if self.steps.get().is_multiple_of(CLOCK_INTERVAL)
            && self.end.is_some_and(|(end, _)| Instant::now() > end)
        {
            self.is_over.set(true);
        }
        self.is_over.get()
    }

    /// An error if the deadline has passed.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.end {
            Some((end, limit)) if Instant::now() > end => {
                Err(Error::TimeLimit { work: Work::Loading, limit })
            }
            _ => Ok(()),
        }
    }
}
