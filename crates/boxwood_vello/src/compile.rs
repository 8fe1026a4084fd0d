//! Compiling shaders on several threads, and the errors that a device reports meanwhile.

use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::error::Error;

/// Does `work`, and returns an error that the device reports meanwhile, which `to_error` makes from
/// its message. Without this, wgpu would panic.
///
/// It catches errors of validation and of memory.
///
/// # Errors
///
/// The error of `work`, or else the error of the device.
pub fn checked<T, E>(
    device: &wgpu::Device,
    to_error: impl FnOnce(String) -> E,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let result = work();
    let validation = pollster::block_on(validation.pop());
    let memory = pollster::block_on(memory.pop());
    match validation.or(memory) {
        Some(error) => result.and(Err(to_error(error.to_string()))),
        None => result,
    }
}

/// The results of `job(0)` to `job(n_jobs - 1)`, computed on `n_threads` threads. `None` uses all
/// cores of the machine except two, as Vello does.
///
/// # Errors
///
/// An error that the device reports.
pub(crate) fn in_parallel<T: Send + Sync>(
    device: &wgpu::Device,
    n_threads: Option<NonZeroUsize>,
    n_jobs: usize,
    job: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<T>> = (0..n_jobs).map(|_| OnceLock::new()).collect();
    // An error scope belongs to a thread.
    let work = || {
        checked(device, Error::Gpu, || {
            let jobs = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            for index in jobs.take_while(|index| *index < n_jobs) {
                results[index].get_or_init(|| job(index));
            }
            Ok(())
        })
    };
    on_threads(n_threads, n_jobs, work).into_iter().collect::<Result<(), _>>()?;
    Ok(results.into_iter().map(|result| result.into_inner().expect("every job is done")).collect())
}

/// The results of `work` on each of several threads, this one included: not more threads than jobs,
/// and one on WebAssembly.
fn on_threads<T: Send>(
    n_threads: Option<NonZeroUsize>,
    n_jobs: usize,
    work: impl Fn() -> T + Sync,
) -> Vec<T> {
    let default = || thread::available_parallelism().map_or(2, |n| n.get().max(4) - 2);
    let max = if cfg!(target_family = "wasm") { 1 } else { n_jobs };
    let n_threads = n_threads.map_or_else(default, NonZeroUsize::get).min(max);
    thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(&work)).collect();
        let others = others
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(work()).chain(others).collect()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn work_is_done_on_the_requested_number_of_threads() {
        for (requested, n_jobs, expected) in [(1, 20, 1), (3, 20, 3), (40, 5, 5)] {
            // No thread can do the work of another: all of them have to be there at once.
            let barrier = Barrier::new(expected);
            let threads = on_threads(NonZeroUsize::new(requested), n_jobs, || {
                barrier.wait();
                thread::current().id()
            });
            assert_eq!(threads.into_iter().collect::<HashSet<_>>().len(), expected);
        }
    }
}
