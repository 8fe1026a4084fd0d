//! Many files: several threads work on them, and their results come in the order of the files.

use std::collections::VecDeque;
use std::fmt::{self, Display};
use std::io::{IsTerminal, stderr};
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;

use crate::report::Report;

/// The maximum number of tasks per thread that are running, or whose results are not printed yet.
/// If one file takes long, the other threads go on with this many tasks, and then wait. So the
/// memory does not grow with the number of files.
const TASKS_PER_THREAD: usize = 4;

/// The largest number of files in a task. To wake the thread that takes the results costs as much
/// as a tenth of a small icon, so it is not woken for every file.
const FILES_PER_TASK: usize = 8;

/// The time between two changes of the line of progress, which nobody reads faster.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// How many files are processed at the same time.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JobsArg {
    /// Number of files to process at the same time [default: the number of cores]
    ///
    /// The order of the output does not depend on it.
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = n_jobs, hide_short_help = true)]
    n_jobs: Option<NonZero<usize>>,
}

fn n_jobs(text: &str) -> Result<NonZero<usize>, &'static str> {
    text.parse().map_err(|_| "it must be a whole number of at least 1")
}

/// What a command has done with many files.
#[derive(Debug)]
pub(crate) struct Summary {
    n_files: usize,
    n_elements: usize,
    n_failed: usize,
    time: Duration,
}

impl Summary {
    /// Prints a note about the run, if it had more than one file.
    pub(crate) fn report(&self, report: &mut Report) {
        if self.n_files > 1 {
            report.note(self);
        }
    }
}

impl Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_files, n_elements, n_failed, time } = self;
        let seconds = time.as_secs_f64();
        write!(f, "{n_files} files, {n_elements} elements, {n_failed} failed, {seconds:.2} s")
    }
}

impl JobsArg {
    /// Does `work` on every file in several threads, and passes each result to `finish` in the
    /// order of the files. `finish` returns the number of elements in the file.
    ///
    /// The messages of `work` are printed before its result is passed on. A line shows the number
    /// of finished files, if there are several and standard error is a terminal.
    ///
    /// # Errors
    ///
    /// Those of `finish`. The threads then finish the tasks that they have, or end with the
    /// process.
    pub(crate) fn run<I: Send + 'static, T: Send + 'static>(
        self,
        files: Vec<I>,
        report: &mut Report,
        work: impl Fn(I, &mut Report) -> T + Send + Sync + 'static,
        mut finish: impl FnMut(T, &mut Report) -> Result<usize>,
    ) -> Result<Summary> {
        let (start, n_files) = (Instant::now(), files.len());
        let (mut n_elements, mut n_failed) = (0, 0);
        let mut progress = Progress::new(n_files, n_files > 1 && !report.is_quiet());
        let messages = report.for_one_file();
        let work = move |file| {
            let mut messages = messages.clone();
            (work(file, &mut messages), messages)
        };
        let n_jobs = self.n_jobs.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get);
        let result = in_order(files, n_jobs, work, |(result, messages)| {
            n_failed += usize::from(messages.has_error());
            // Messages and rows may go to the same terminal as the line.
            progress.clear();
            report.append(messages);
            n_elements += finish(result, report)?;
            progress.advance();
            Ok(())
        });
        progress.clear();
        result.map(|()| Summary { n_files, n_elements, n_failed, time: start.elapsed() })
    }
}

/// A line on standard error, which is hidden if that is not a terminal.
struct Progress {
    n_files: usize,
    n_done: usize,
    start: Instant,
    /// When the line was last printed.
    printed: Instant,
    is_shown: bool,
    is_there: bool,
}

impl Progress {
    fn new(n_files: usize, is_wanted: bool) -> Self {
        let now = Instant::now();
        let is_shown = is_wanted && stderr().is_terminal();
        Self { n_files, n_done: 0, start: now, printed: now, is_shown, is_there: false }
    }

    /// Counts a file, and prints the line if it is time.
    fn advance(&mut self) {
        self.n_done += 1;
        if self.is_shown && (self.printed.elapsed() >= PROGRESS_INTERVAL || self.n_done == self.n_files) {
            anstream::eprint!("{}", progress_line(self.n_done, self.n_files, self.start.elapsed()));
            (self.printed, self.is_there) = (Instant::now(), true);
        }
    }

    /// Removes the line, so that something else can be printed there.
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_there) {
            // Back to the start of the line, and erase it.
            anstream::eprint!("\r\x1b[K");
        }
    }
}

/// The line after some of the files, `elapsed` after the first one was begun.
fn progress_line(n_done: usize, n_files: usize, elapsed: Duration) -> String {
    let left = elapsed.as_secs_f64() / n_done as f64 * (n_files - n_done) as f64;
    format!("{n_done}/{n_files} files, {left:.0} s left")
}

/// Does `work` on every item in several threads, and passes each result to `finish` in the order of
/// the items.
///
/// # Errors
///
/// Those of `finish`, or a thread cannot be started.
fn in_order<I: Send + 'static, T: Send + 'static>(
    items: Vec<I>,
    n_threads: usize,
    work: impl Fn(I) -> T + Send + Sync + 'static,
    mut finish: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let n_threads = n_threads.min(items.len());
    if n_threads <= 1 {
        return items.into_iter().try_for_each(|item| finish(work(item)));
    }
    // Few files are still divided among all threads, several tasks for each.
    let task_size = (items.len() / (n_threads * TASKS_PER_THREAD)).clamp(1, FILES_PER_TASK);
    let (queue, queued) = mpsc::channel::<(Vec<I>, mpsc::Sender<Vec<T>>)>();
    let (work, queued) = (Arc::new(work), Arc::new(Mutex::new(queued)));
    let mut threads = Vec::new();
    for _ in 0..n_threads {
        let (work, queued) = (Arc::clone(&work), Arc::clone(&queued));
        let next = move || queued.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
        let work_on_all = move || {
            while let Some((task, results)) = next() {
                // The receiver is gone if `finish` has failed.
                let _ = results.send(task.into_iter().map(&*work).collect());
            }
        };
        threads.push(thread::Builder::new().spawn(work_on_all).context("cannot start a thread")?);
    }
    let mut items = items.into_iter();
    let mut tasks = VecDeque::new();
    loop {
        while tasks.len() < n_threads * TASKS_PER_THREAD && items.len() > 0 {
            let (sender, results) = mpsc::channel();
            let task = items.by_ref().take(task_size).collect();
            queue.send((task, sender)).expect("this function owns the receiver as well");
            tasks.push_back(results);
        }
        let Some(results) = tasks.pop_front() else { break };
        results.recv().expect("the work does not panic").into_iter().try_for_each(&mut finish)?;
    }
    drop(queue);
    // Everything that the threads own is dropped before the process ends, such as a device.
    threads.into_iter().for_each(|thread| thread.join().expect("the work does not panic"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use anyhow::bail;

    use super::*;

    #[test]
    fn the_line_of_progress_estimates_the_time_left() {
        assert_eq!(progress_line(25, 100, Duration::from_secs(5)), "25/100 files, 15 s left");
        assert_eq!(progress_line(2, 2, Duration::from_secs(5)), "2/2 files, 0 s left");
    }

    #[test]
    fn results_come_in_order_and_few_of_them_wait() {
        const N_ITEMS: usize = 200;
        let started = Arc::new(AtomicUsize::new(0));
        for n_threads in [1, 2, 5, 300] {
            started.store(0, Ordering::Relaxed);
            let (in_work, mut finished) = (Arc::clone(&started), Vec::new());
            let work = move |item| {
                in_work.fetch_add(1, Ordering::Relaxed);
                // The first item of each ten is the slowest.
                thread::sleep(Duration::from_micros(if item % 10 == 0 { 3000 } else { 20 }));
                item
            };
            let finish = |item| {
                let n_ahead = started.load(Ordering::Relaxed) - finished.len();
                assert!(
                    n_ahead <= n_threads.min(N_ITEMS) * TASKS_PER_THREAD * FILES_PER_TASK,
                    "{n_ahead} of {n_threads} threads"
                );
                finished.push(item);
                Ok(())
            };
            in_order((0..N_ITEMS).collect(), n_threads, work, finish).expect("nothing fails");
            assert_eq!(finished, (0..N_ITEMS).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_the_run_at_once() {
        let start = Instant::now();
        let work = |item: u64| thread::sleep(Duration::from_secs(item * 30));
        let result = in_order(vec![0, 1], 2, work, |()| bail!("the output is closed"));
        assert_eq!(result.expect_err("it fails").to_string(), "the output is closed");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn messages_come_in_the_order_of_the_files_and_failures_are_counted() {
        let mut report = Report::new(false).for_one_file();
        let work = |file: u32, report: &mut Report| {
            thread::sleep(Duration::from_millis(u64::from(3 - file)));
            report.note(format_args!("note {file}"));
            if file == 1 {
                report.error("error 1");
            }
            file
        };
        let jobs = JobsArg { n_jobs: NonZero::new(2) };
        let summary = jobs.run(vec![0, 1, 2], &mut report, work, |file, report| {
            report.note(format_args!("rows {file}"));
            Ok(10)
        });
        let summary = Summary { time: Duration::from_millis(1234), ..summary.expect("nothing fails") };
        assert_eq!(summary.to_string(), "3 files, 30 elements, 1 failed, 1.23 s");
        assert_eq!(report.exit_code(), 2);
        let words: Vec<_> = report.held().iter().map(|line| line.split("\u{1b}[0m ").last()).collect();
        assert_eq!(words, ["note 0", "rows 0", "note 1", "error 1", "rows 1", "note 2", "rows 2"].map(Some));
    }
}
