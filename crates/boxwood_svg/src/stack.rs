//! Threads with large stacks: parsing, lowering and drawing recurse with the nesting of a drawing.

use std::io;
use std::thread;

/// The stack of such a thread, in bytes. This is address space; only what is used is memory.
const STACK_SIZE: usize = 512 << 20;

/// The stack where there is no address space for [`STACK_SIZE`], in bytes.
const SMALL_STACK_SIZE: usize = 64 << 20;

/// Starts `work` in a thread with the largest stack that there is room for.
pub(crate) fn start(work: impl Fn() + Clone + Send + 'static) -> io::Result<thread::JoinHandle<()>> {
    builder(STACK_SIZE).spawn(work.clone()).or_else(|_| builder(SMALL_STACK_SIZE).spawn(work))
}

/// Runs `work` in such a thread and waits for it; in this one if no other can be started.
pub(crate) fn run<T: Send>(work: impl Fn() -> T + Sync) -> T {
    thread::scope(|scope| {
        let started = builder(STACK_SIZE)
            .spawn_scoped(scope, &work)
            .or_else(|_| builder(SMALL_STACK_SIZE).spawn_scoped(scope, &work));
        match started.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => work(),
        }
    })
}

fn builder(stack_size: usize) -> thread::Builder {
    thread::Builder::new().name("boxwood_svg".to_owned()).stack_size(stack_size)
}
