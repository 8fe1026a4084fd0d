//! How long the device takes for a compute pass.

use std::cell::Cell;
use std::time::{Duration, Instant};

use boxwood::native::Gpu;

use crate::clocks::Clocks;
use crate::error::BenchError;
use crate::row::Seconds;

/// Runs that are not timed.
const WARM_UPS: usize = 3;

/// How long runs that are not timed go on at least, so that a GPU has left its idle clocks, to which it falls back while an answer
/// is checked on the CPU.
const WARM_UP_TIME: Duration = Duration::from_millis(250);

/// How long the first warm-up of all takes, so that it is known what the clocks can be.
const FIRST_WARM_UP_TIME: Duration = Duration::from_secs(2);

/// How often the runs are warmed up and timed again at most, where the clocks are not up before and after.
const MAX_TIMINGS: usize = 12;

/// How long after its last run a GPU still has the clocks that it had then.
const STAYS_WARM: Duration = Duration::from_millis(20);

/// Runs that are submitted at once while warming up, so that the GPU has work all the time.
const WARM_UP_BATCH: usize = 8;

/// How long all runs of a measurement may take.
const MEASUREMENT_TIME: Duration = Duration::from_secs(2);

/// A task of the CPU that takes longer is done once.
const LONG_TASK: Duration = Duration::from_millis(500);

/// Times compute passes by timestamps of the device.
#[derive(Debug)]
pub(crate) struct Timer<'a> {
    gpu: &'a Gpu,
    queries: Option<Queries>,
    n_runs: usize,
    /// None for software, which has no clocks of its own.
    clocks: Option<Clocks>,
    /// When the last measurement ended.
    last: Cell<Option<Instant>>,
}

#[derive(Debug)]
struct Queries {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    seconds_per_tick: f64,
}

impl<'a> Timer<'a> {
    pub(crate) fn new(gpu: &'a Gpu, n_runs: usize) -> Self {
        let has_timestamps = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let count = u32::try_from(2 * n_runs).expect("there are at most 2000 runs");
        let queries = has_timestamps.then(|| Queries {
            set: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("boxwood.bench"),
                ty: wgpu::QueryType::Timestamp,
                count,
            }),
            resolved: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("boxwood.bench.timestamps"),
                size: u64::from(count) * 8,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            seconds_per_tick: f64::from(gpu.queue.get_timestamp_period()) * 1e-9,
        });
        let is_software = gpu.adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let clocks = (!is_software).then(|| Clocks::new(gpu));
        Self { gpu, queries, n_runs, clocks, last: Cell::new(None) }
    }

    /// The times of what `record` puts into a pass, one submission a run; none where the device has no timestamps.
    pub(crate) fn time(
        &self,
        record: impl Fn(&mut wgpu::ComputePass<'_>),
    ) -> Result<Option<Seconds>, BenchError> {
        self.time_task(&Task { before: None, timed: &record })
    }

    /// The same of what follows on something else, which is not timed.
    pub(crate) fn time_after(
        &self,
        before: impl Fn(&mut wgpu::ComputePass<'_>),
        record: impl Fn(&mut wgpu::ComputePass<'_>),
    ) -> Result<Option<Seconds>, BenchError> {
        self.time_task(&Task { before: Some(&before), timed: &record })
    }

    fn time_task(&self, task: &Task<'_>) -> Result<Option<Seconds>, BenchError> {
        let started = Instant::now();
        // The first run may have to clear new buffers.
        self.submit(task, None);
        self.wait()?;
        let second = Instant::now();
        self.submit(task, None);
        self.wait()?;
        let one_run = second.elapsed();
        let mut n_done = 2;
        let is_warm = self.last.get().is_some_and(|last| started - last < STAYS_WARM);
        let warm_up_time = match (&self.clocks, self.last.get()) {
            (None, _) => Duration::ZERO,
            (Some(_), None) => FIRST_WARM_UP_TIME,
            (Some(_), Some(_)) if is_warm => Duration::ZERO,
            (Some(_), Some(_)) => WARM_UP_TIME,
        };
        let n_runs = fitting_runs(self.n_runs, one_run, MEASUREMENT_TIME);
        let mut timed = None;
        for timing in 0..MAX_TIMINGS {
            let started = Instant::now();
            let warm_up_time = if timing == 0 { warm_up_time } else { WARM_UP_TIME };
            while n_done < WARM_UPS || started.elapsed() < warm_up_time {
                let n_batch = if self.clocks.is_none() { 1 } else { WARM_UP_BATCH };
                for _ in 0..n_batch {
                    self.submit(task, None);
                }
                self.wait()?;
                n_done += n_batch;
            }
            // Clocks that are up after the runs may have risen during them.
            let were_up = self.are_clocks_up()?;
            timed = self.time_runs(task, n_runs)?;
            if self.are_clocks_up()? && were_up {
                break;
            }
        }
        self.last.set(Some(Instant::now()));
        Ok(timed)
    }

    /// Whether what tells the clocks is as fast as ever.
    fn are_clocks_up(&self) -> Result<bool, BenchError> {
        let Some(clocks) = &self.clocks else { return Ok(true) };
        let mut are_up = true;
        for task in clocks.tasks() {
            let times =
                self.time_runs(&Task { before: None, timed: &|pass| task.record(pass) }, self.n_runs.min(3))?;
            are_up &= times.is_none_or(|times| task.is_as_fast_as_ever(times.min));
        }
        Ok(are_up)
    }

    /// The times of so many runs.
    fn time_runs(&self, task: &Task<'_>, n_runs: usize) -> Result<Option<Seconds>, BenchError> {
        for run in 0..n_runs {
            self.submit(task, Some(run));
        }
        self.wait()?;
        self.queries.as_ref().map_or(Ok(None), |queries| self.resolve(queries, n_runs))
    }

    fn submit(&self, task: &Task<'_>, run: Option<usize>) {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(before) = task.before {
            before(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
        }
        let first = run.map(|run| u32::try_from(2 * run).expect("there are at most 2000 runs"));
        let timestamp_writes =
            self.queries.as_ref().zip(first).map(|(queries, first)| wgpu::ComputePassTimestampWrites {
                query_set: &queries.set,
                beginning_of_pass_write_index: Some(first),
                end_of_pass_write_index: Some(first + 1),
            });
        let mut pass =
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
        (task.timed)(&mut pass);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn resolve(&self, queries: &Queries, n_runs: usize) -> Result<Option<Seconds>, BenchError> {
        let Gpu { device, queue, .. } = self.gpu;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let count = u32::try_from(2 * n_runs).expect("there are at most 2000 runs");
        encoder.resolve_query_set(&queries.set, 0..count, &queries.resolved, 0);
        queue.submit([encoder.finish()]);
        let ticks: Vec<u64> = boxwood::read_items(device, queue, &queries.resolved, 2 * n_runs)?;
        #[expect(clippy::cast_precision_loss, reason = "a pass takes far less than 2^52 ticks")]
        let seconds = |pair: &[u64]| pair[1].saturating_sub(pair[0]) as f64 * queries.seconds_per_tick;
        let times: Vec<f64> = ticks.chunks_exact(2).map(seconds).collect();
        // Drivers that have the feature but no clock give zeros: no measurement.
        Ok(Seconds::of(times).filter(|times| times.median > 0.0))
    }

    fn wait(&self) -> Result<(), BenchError> {
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(())
    }
}

/// What is put into a pass and timed, and into one before.
struct Task<'a> {
    before: Option<&'a dyn Fn(&mut wgpu::ComputePass<'_>)>,
    timed: &'a dyn Fn(&mut wgpu::ComputePass<'_>),
}

/// The times of a task of the CPU and what it gave.
pub(crate) fn time_on_cpu<T>(n_runs: usize, task: impl Fn() -> T) -> (Option<Seconds>, T) {
    let timed = || {
        let start = Instant::now();
        let result = std::hint::black_box(task());
        (start.elapsed(), result)
    };
    let (first, mut result) = timed();
    if n_runs > 0 && first > LONG_TASK {
        // What comes only with a first run is nothing beside it.
        return (Seconds::of(vec![first.as_secs_f64()]), result);
    }
    let mut times = Vec::new();
    for _ in 0..fitting_runs(n_runs, first, MEASUREMENT_TIME / 4) {
        let (time, same) = timed();
        times.push(time.as_secs_f64());
        result = same;
    }
    (Seconds::of(times), result)
}

/// How many runs of `one` fit in `all`, at least 3 unless fewer are wanted.
fn fitting_runs(wanted: usize, one: Duration, all: Duration) -> usize {
    let fitting = all.as_nanos() / one.as_nanos().max(1);
    wanted.min(usize::try_from(fitting).unwrap_or(usize::MAX).max(3))
}
