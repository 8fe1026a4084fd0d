//! How long work is waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a picture may take, by default, and a drawing to load.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(60);

/// How long work is waited for: until a limit counted from when this was made, or until it is stopped.
#[derive(Clone, Debug)]
pub struct Patience {
    start: Instant,
    limit: Option<Duration>,
    pub(crate) stop: Stop,
}

impl Patience {
    /// From now until this limit, or without one.
    pub fn new(limit: Option<Duration>) -> Self {
        Self { start: Instant::now(), limit, stop: Stop::default() }
    }

    /// The same, until this stops it.
    pub fn or_until(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// The end, if it ever comes, and the limit that it comes from.
    pub(crate) fn deadline(&self) -> Option<(Instant, Duration)> {
        let limit = self.limit?;
        Some((self.start.checked_add(limit)?, limit))
    }

    /// What is left of it, if it has an end.
    pub(crate) fn left(&self) -> Option<Duration> {
        Some(self.deadline()?.0.saturating_duration_since(Instant::now()))
    }
}

/// A minute from now.
impl Default for Patience {
    fn default() -> Self {
        Self::new(Some(TIME_LIMIT))
    }
}

/// Tells work, from another thread, that it is not wanted any more. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Stops the work, or lets what comes next go on.
    pub fn set(&self, is_stopped: bool) {
        self.0.store(is_stopped, Ordering::Relaxed);
    }

    /// Whether the work is not wanted any more.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
