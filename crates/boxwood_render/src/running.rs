//! The stages of the painter's current job, and of its last one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The stages of the painter's current job. Its thread and the window share them.
#[derive(Clone, Debug, Default)]
pub struct Running(Arc<Mutex<Jobs>>);

#[derive(Debug, Default)]
struct Jobs {
    /// The stages of the current job.
    started: Vec<Started>,
    /// Those of the last one.
    ended: Vec<StageTime>,
}

/// A stage that has started.
#[derive(Clone, Copy, Debug)]
struct Started {
    stage: &'static str,
    n_parts: u32,
    at: Instant,
}

/// The time of a stage so far.
#[derive(Clone, Copy, Debug)]
pub struct StageTime {
    /// The name of the stage.
    pub stage: &'static str,
    /// The number of parts that have started, of a stage that does its work in parts.
    pub n_parts: u32,
    /// The time so far.
    pub time: Duration,
}

impl Running {
    /// Starts a stage, which ends the one before.
    pub fn begin(&self, stage: &'static str) {
        self.jobs().started.push(Started { stage, n_parts: 0, at: Instant::now() });
    }

    /// Starts the first stage of a picture or of another job.
    pub fn restart(&self, stage: &'static str) {
        self.end();
        self.begin(stage);
    }

    /// Counts a part of the current stage.
    pub fn begin_part(&self) {
        if let Some(current) = self.jobs().started.last_mut() {
            current.n_parts += 1;
        }
    }

    /// Ends the job.
    pub fn end(&self) {
        let jobs = &mut *self.jobs();
        jobs.ended = times(&jobs.started);
        jobs.started.clear();
    }

    /// The stages so far, of which the last one goes on.
    pub fn stages(&self) -> Vec<StageTime> {
        times(&self.jobs().started)
    }

    /// The stages of the job that has ended last.
    pub fn ended(&self) -> Vec<StageTime> {
        self.jobs().ended.clone()
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        // A thread that panics leaves the lists as they are.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The times of stages, of which the last one has lasted until now.
fn times(started: &[Started]) -> Vec<StageTime> {
    let ends = started.iter().skip(1).map(|next| next.at).chain([Instant::now()]);
    let times = started.iter().zip(ends);
    times
        .map(|(&Started { stage, n_parts, at }, end)| StageTime {
            stage,
            n_parts,
            time: end.saturating_duration_since(at),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stage_goes_on_and_the_others_have_ended() {
        let running = Running::default();
        running.begin("images");
        running.begin("draw");
        running.begin_part();
        running.begin_part();
        let before = running.stages();
        std::thread::sleep(Duration::from_millis(2));
        let after = running.clone().stages();
        let parts: Vec<_> = after.iter().map(|time| (time.stage, time.n_parts)).collect();
        assert_eq!(parts, [("images", 0), ("draw", 2)]);
        assert_eq!(after[0].time, before[0].time);
        assert!(after[1].time > before[1].time);
        running.end();
        assert!(running.stages().is_empty());
        let ended: Vec<_> = running.ended().iter().map(|time| time.stage).collect();
        assert_eq!(ended, ["images", "draw"]);
    }
}
