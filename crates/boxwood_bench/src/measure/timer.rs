//! Timing compute passes on the device, and tasks on the CPU.

use std::time::{Duration, Instant};

use boxwood::native::Gpu;
use boxwood::{ReadBackError, Staging};

use super::clocks::Clock;
use super::compute::begin_pass;
use crate::error::BenchError;
use crate::record::Seconds;

/// The number of runs before the timed ones.
const N_WARM_UP_RUNS: usize = 3;

/// The minimum time of runs after which a GPU has left its idle clocks. It falls back to them while
/// the CPU checks results.
const WARM_UP_TIME: Duration = Duration::from_millis(250);

/// The same before the first measurement, to determine the full clock rates.
const FIRST_WARM_UP_TIME: Duration = Duration::from_secs(2);

/// The maximum number of times that a measurement is repeated because the clocks were low.
const MAX_TIMINGS: usize = 12;

/// The number of runs that are submitted together during a warm-up, so that the GPU never idles.
const WARM_UP_BATCH: usize = 8;

/// The maximum time of all runs of a measurement, unless it has only the minimum of three.
const MEASUREMENT_TIME: Duration = Duration::from_secs(2);

/// The time above which a task on the CPU runs only once, and the maximum time of all runs of a
/// shorter task, unless it has only the minimum of three. A sweep has about 50 such tasks per size,
/// and the times of the CPU vary by more from sweep to sweep than from run to run.
const CPU_TIME: Duration = Duration::from_millis(100);

/// The maximum time of all runs with a read-back or an upload, unless there is only the minimum of
/// three.
const TRANSFER_TIME: Duration = Duration::from_millis(100);

/// Times compute passes by timestamps of the device.
#[derive(Debug)]
pub(crate) struct Timer<'a> {
    gpu: &'a Gpu,
    queries: Option<Queries>,
    n_runs: usize,
    /// Empty if the clock rates do not matter, or for software, which has no clocks of its own.
    clocks: Vec<Clock>,
}

#[derive(Debug)]
struct Queries {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    seconds_per_tick: f64,
}

/// Records a run. The timestamps are for its timed pass.
type Record<'a> = dyn FnMut(&mut wgpu::CommandEncoder, Option<wgpu::ComputePassTimestampWrites<'_>>) + 'a;

impl<'a> Timer<'a> {
    /// Times `n_runs` runs of each task, and at full clock rates if `at_full_rates`.
    pub(crate) fn new(gpu: &'a Gpu, n_runs: usize, at_full_rates: bool) -> Result<Self, BenchError> {
        let has_timestamps = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let count = n_queries(n_runs);
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
        let mut timer = Self { gpu, queries, n_runs, clocks: Vec::new() };
        if at_full_rates && !is_software {
            timer.clocks.extend(Clock::all(gpu));
            for clock in &timer.clocks {
                timer.warm_up(&mut |encoder, writes| clock.record(encoder, writes), FIRST_WARM_UP_TIME)?;
            }
            timer.are_clocks_full()?;
        }
        Ok(timer)
    }

    /// The times of a pass with the dispatches that `record` records, one submission per run.
    /// `None` if the device has no timestamps.
    pub(crate) fn time(
        &self,
        mut record: impl FnMut(&mut wgpu::ComputePass<'_>),
    ) -> Result<Option<Seconds>, BenchError> {
        self.time_run(&mut |encoder, writes| record(&mut begin_pass(encoder, writes)))
    }

    /// The same, after an untimed pass.
    pub(crate) fn time_after(
        &self,
        before: impl Fn(&mut wgpu::ComputePass<'_>),
        record: impl Fn(&mut wgpu::ComputePass<'_>),
    ) -> Result<Option<Seconds>, BenchError> {
        self.time_run(&mut |encoder, writes| {
            before(&mut begin_pass(encoder, None));
            record(&mut begin_pass(encoder, writes));
        })
    }

    /// The times of the passes that `record` records with the timestamps that it gets.
    pub(crate) fn time_run(&self, record: &mut Record<'_>) -> Result<Option<Seconds>, BenchError> {
        // The first run may include clearing new buffers.
        self.run(record, N_WARM_UP_RUNS - 1)?;
        let last = Instant::now();
        self.run(record, 1)?;
        let n_runs = fitting_runs(self.n_runs, last.elapsed(), MEASUREMENT_TIME);
        let mut times = None;
        for _ in 0..MAX_TIMINGS {
            // The clocks may rise during the runs, so they are checked before and after.
            let were_full = self.are_clocks_full()?;
            times = self.time_runs(record, n_runs)?;
            if self.are_clocks_full()? && were_full {
                break;
            }
            self.warm_up(record, WARM_UP_TIME)?;
        }
        Ok(times)
    }

    /// The median time from the submission of a pass until its results are in the memory of the
    /// CPU, in seconds, by the clock of the CPU. The results are the first words of these buffers.
    /// The time includes the submission, the copy into a mapped buffer, and the copy out of it, but
    /// not the recording.
    pub(crate) fn time_with_read_back(
        &self,
        record: impl Fn(&mut wgpu::ComputePass<'_>),
        results: &[(&wgpu::Buffer, usize)],
    ) -> Result<Option<f64>, BenchError> {
        let Gpu { device, queue, .. } = self.gpu;
        // An empty range cannot be mapped.
        let results: Vec<_> = results.iter().map(|(buffer, n)| (*buffer, (*n).max(1))).collect();
        let staging: Vec<Staging> = results.iter().map(|(_, n)| Staging::new(device, 4 * n)).collect();
        let run = || -> Result<Duration, ReadBackError> {
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            record(&mut begin_pass(&mut encoder, None));
            for ((buffer, n), staging) in results.iter().zip(&staging) {
                staging.record_copy::<u32>(&mut encoder, buffer, 0..*n);
            }
            let commands = encoder.finish();
            let start = Instant::now();
            let submission = queue.submit([commands]);
            let reads = results.iter().zip(&staging).map(|((_, n), staging)| staging.start_read::<u32>(*n));
            let reads: Vec<_> = reads.collect();
            device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None })?;
            for mut read in reads {
                std::hint::black_box(read.try_take().expect("the device has finished")?);
            }
            Ok(start.elapsed())
        };
        Ok(self.time_transfers(run)?.map(|seconds| seconds.median))
    }

    /// The times of an upload, by the clock of the CPU: from the call until the bytes are in the
    /// buffer. Their number is a multiple of 4.
    pub(crate) fn time_upload(
        &self,
        buffer: &wgpu::Buffer,
        bytes: &[u8],
    ) -> Result<Option<Seconds>, BenchError> {
        let Gpu { device, queue, .. } = self.gpu;
        self.time_transfers(|| {
            let start = Instant::now();
            queue.write_buffer(buffer, 0, bytes);
            let submission = queue.submit([]);
            device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None })?;
            Ok(start.elapsed())
        })
    }

    /// The times that a transfer between the memory of the CPU and the device takes, as it states
    /// them.
    fn time_transfers(
        &self,
        run: impl Fn() -> Result<Duration, ReadBackError>,
    ) -> Result<Option<Seconds>, BenchError> {
        // The first run allocates.
        run()?;
        let n_runs = fitting_runs(self.n_runs, run()?, TRANSFER_TIME);
        let times = (0..n_runs).map(|_| Ok(run()?.as_secs_f64())).collect::<Result<_, ReadBackError>>()?;
        Ok(Seconds::of(times))
    }

    /// Whether the device runs at full clock rates.
    fn are_clocks_full(&self) -> Result<bool, BenchError> {
        let mut are_full = true;
        for clock in &self.clocks {
            let n_runs = self.n_runs.min(3);
            let times = self.time_runs(&mut |encoder, writes| clock.record(encoder, writes), n_runs)?;
            are_full &= times.is_none_or(|times| clock.is_at_full_rate(times.min));
        }
        Ok(are_full)
    }

    /// Keeps the device busy for at least this time.
    fn warm_up(&self, record: &mut Record<'_>, time: Duration) -> Result<(), BenchError> {
        let start = Instant::now();
        while start.elapsed() < time {
            self.run(record, WARM_UP_BATCH)?;
        }
        Ok(())
    }

    /// Waits for `n_runs` untimed runs.
    fn run(&self, record: &mut Record<'_>, n_runs: usize) -> Result<(), BenchError> {
        (0..n_runs).for_each(|_| self.submit(record, None));
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(ReadBackError::from)?;
        Ok(())
    }

    fn time_runs(&self, record: &mut Record<'_>, n_runs: usize) -> Result<Option<Seconds>, BenchError> {
        let Some(queries) = &self.queries else { return Ok(None) };
        for run in 0..n_runs {
            self.submit(
                record,
                Some(wgpu::ComputePassTimestampWrites {
                    query_set: &queries.set,
                    beginning_of_pass_write_index: Some(n_queries(run)),
                    end_of_pass_write_index: Some(n_queries(run) + 1),
                }),
            );
        }
        let Gpu { device, queue, .. } = self.gpu;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.resolve_query_set(&queries.set, 0..n_queries(n_runs), &queries.resolved, 0);
        queue.submit([encoder.finish()]);
        let ticks: Vec<u64> = boxwood::read_items(device, queue, &queries.resolved, 2 * n_runs)?;
        #[expect(clippy::cast_precision_loss, reason = "a pass takes far less than 2^52 ticks")]
        let seconds = |pair: &[u64]| pair[1].saturating_sub(pair[0]) as f64 * queries.seconds_per_tick;
        let times: Vec<f64> = ticks.chunks_exact(2).map(seconds).collect();
        // A driver with the feature but without a clock writes zeros.
        Ok(Seconds::of(times).filter(|times| times.median > 0.0))
    }

    fn submit(&self, record: &mut Record<'_>, writes: Option<wgpu::ComputePassTimestampWrites<'_>>) {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        record(&mut encoder, writes);
        self.gpu.queue.submit([encoder.finish()]);
    }
}

/// The number of timestamps of several runs, two per run.
fn n_queries(n_runs: usize) -> u32 {
    u32::try_from(2 * n_runs).expect("there are at most 2000 runs")
}

/// The times of a task on the CPU, and its result. With no runs, the task runs once and has no
/// times.
pub(crate) fn time_on_cpu<T>(n_runs: usize, mut task: impl FnMut() -> T) -> (Option<Seconds>, T) {
    time_on_cpu_after(n_runs, || (), |()| task())
}

/// The same for a task that changes its input. Before each run, `prepare` makes an input, and its
/// time does not count.
pub(crate) fn time_on_cpu_after<I, T>(
    n_runs: usize,
    mut prepare: impl FnMut() -> I,
    mut task: impl FnMut(&mut I) -> T,
) -> (Option<Seconds>, T) {
    let mut timed = || {
        let mut input = prepare();
        let start = Instant::now();
        let result = std::hint::black_box(task(&mut input));
        (start.elapsed(), result)
    };
    let (first, mut result) = timed();
    if n_runs > 0 && first > CPU_TIME {
        // The overhead of a first run is negligible in a long one.
        return (Seconds::of(vec![first.as_secs_f64()]), result);
    }
    let mut times = Vec::new();
    for _ in 0..fitting_runs(n_runs, first, CPU_TIME) {
        let (time, same) = timed();
        times.push(time.as_secs_f64());
        result = same;
    }
    (Seconds::of(times), result)
}

/// The number of runs that fit in a total time, but at least three, and at most the wanted number.
pub(crate) fn fitting_runs(wanted: usize, one_run: Duration, total: Duration) -> usize {
    let fitting = total.as_nanos() / one_run.as_nanos().max(1);
    wanted.min(usize::try_from(fitting).unwrap_or(usize::MAX).max(3))
}
