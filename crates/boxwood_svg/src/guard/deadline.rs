//! Time limits and cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::{Error, Work};
use crate::guard::clock::Instant;
use crate::guard::limits::TIME_LIMIT;

/// When work that is not done yet is given up: at a point in time, or when it is cancelled.
#[derive(Clone, Debug)]
pub struct Deadline {
    start: Instant,
    limit: Option<Duration>,
    cancel: CancelToken,
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

    /// The point in time, `None` without a limit.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.start.checked_add(self.limit?)
    }

    /// Whether the work is to be given up.
    pub(crate) fn has_passed(&self) -> bool {
        self.cancel.is_set() || self.end().is_some_and(|end| Instant::now() >= end)
    }

    /// Returns an error of this work if it is cancelled or if its time limit has passed.
    pub(crate) fn check(&self, work: Work) -> Result<(), Error> {
        match self.limit {
            _ if !self.has_passed() => Ok(()),
            Some(limit) if !self.cancel.is_set() => Err(Error::TimeLimit { work, limit }),
            _ => Err(Error::Cancelled(work)),
        }
    }
}

/// A minute from now.
impl Default for Deadline {
    fn default() -> Self {
        Self::after(Some(TIME_LIMIT))
    }
}

/// Cancels work from another thread. Clones share one state, and are equal.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl PartialEq for CancelToken {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CancelToken {}

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
