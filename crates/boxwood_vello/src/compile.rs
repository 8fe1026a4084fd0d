//! Compiling shaders on several threads, and the errors that a device reports meanwhile.

use std::num::NonZeroUsize;
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
pub(crate) fn in_parallel<T: Send>(
    device: &wgpu::Device,
    n_threads: Option<NonZeroUsize>,
    n_jobs: usize,
    job: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let next = AtomicUsize::new(0);
    // An error scope belongs to a thread.
    let parts = on_threads(n_threads, n_jobs, || {
        checked(device, Error::Gpu, || {
            let indices = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
            Ok(indices.take_while(|&i| i < n_jobs).map(|i| (i, job(i))).collect::<Vec<_>>())
        })
    });
    let parts: Vec<Vec<_>> = parts.into_iter().collect::<Result<_, _>>()?;
    let mut results: Vec<(usize, T)> = parts.into_iter().flatten().collect();
    results.sort_by_key(|&(index, _)| index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
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
