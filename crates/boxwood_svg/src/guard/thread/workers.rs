//! Threads with large stacks.

use std::io;
use std::process;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use super::{THREAD_NAME, caught, message_of, program};
use crate::error::{Error, Work};
use crate::guard::deadline::{CancelToken, Deadline};
use crate::guard::limits::{CANCEL_INTERVAL, SMALL_STACK_SIZE, STACK_SIZE};

/// Runs `work` in a thread with a large stack, and waits for the result until the deadline. The
/// thread is used again if there is more work soon.
///
/// At the deadline this returns at once, and sets the token that `work` was given. The thread goes
/// on until `work` looks at that token.
///
/// # Errors
///
/// [`Error::Panicked`], [`Error::TimeLimit`], [`Error::Cancelled`] or [`Error::Thread`].
pub(crate) fn run<T: Send + 'static>(
    kind: Work,
    deadline: &Deadline,
    work: impl FnOnce(&CancelToken) -> T + Send + 'static,
) -> Result<T, Error> {
    let (sender, receiver) = mpsc::channel();
    let abandoned = CancelToken::default();
    let token = abandoned.clone();
    let job = move |now_idle: &dyn Fn()| {
        let result = caught(|| work(&token));
        // The receiver may have more work as soon as it has the result.
        now_idle();
        // The receiver is gone if the deadline has passed.
        let _ = sender.send(result);
    };
    start(Box::new(job)).map_err(Error::Thread)?;
    let panicked = |message| Error::Panicked { program: program(kind), part: "the drawing", message };
    loop {
        let left = deadline.end().map(|end| end.saturating_duration_since(Instant::now()));
        match receiver.recv_timeout(left.map_or(CANCEL_INTERVAL, |left| left.min(CANCEL_INTERVAL))) {
            Ok(result) => return result.map_err(panicked),
            Err(RecvTimeoutError::Disconnected) => return Err(panicked(message_of(&()))),
            Err(RecvTimeoutError::Timeout) => deadline.check(kind).inspect_err(|_| abandoned.set(true))?,
        }
    }
}

/// How long a thread waits for more work before it ends.
///
/// To start and end a thread with a large stack takes a third of the time that a small icon takes.
/// A program that loads many drawings has work again within milliseconds.
const IDLE_TIME: Duration = Duration::from_millis(500);

/// Work for a thread, which calls its argument when the thread can take more.
type Job = Box<dyn FnOnce(&dyn Fn()) + Send>;

/// The threads that can take more work, each with the process that it belongs to. A thread is in the
/// list at most once.
///
/// A process that was forked has the list of its parent, but not the threads.
static IDLE: Mutex<Vec<(u32, ThreadId, Sender<Job>)>> = Mutex::new(Vec::new());

fn idle() -> MutexGuard<'static, Vec<(u32, ThreadId, Sender<Job>)>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets an idle thread or a new one do the job.
fn start(job: Job) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    let taken = {
        let mut idle = idle();
        idle.retain(|(process, ..)| *process == process::id());
        idle.pop()
    };
    let (sender, is_new) = taken.map_or((sender, true), |(.., sender)| (sender, false));
    // A thread leaves the list only under the lock, so one from the list is still there.
    sender.send(job).expect("the receiver is in this function or in the thread");
    if !is_new {
        return Ok(());
    }
    // A thread that cannot be started drops its closure. Both attempts therefore share the
    // channels.
    let once = Arc::new(Mutex::new(Some((sender, receiver))));
    let in_thread = move || {
        let taken = once.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((sender, receiver)) = taken {
            work_until_idle(&sender, &receiver);
        }
    };
    let builder = |stack_size| thread::Builder::new().name(THREAD_NAME.to_owned()).stack_size(stack_size);
    let started = builder(STACK_SIZE).spawn(in_thread.clone());
    started.or_else(|_| builder(SMALL_STACK_SIZE).spawn(in_thread)).map(drop)
}

/// Does jobs until there is none for [`IDLE_TIME`].
fn work_until_idle(sender: &Sender<Job>, receiver: &Receiver<Job>) {
    let id = thread::current().id();
    let now_idle = || idle().push((process::id(), id, sender.clone()));
    loop {
        match receiver.recv_timeout(IDLE_TIME) {
            Ok(job) => job(&now_idle),
            Err(_) => {
                let mut idle = idle();
                // If the thread is not in the list, a job has been sent or is about to be.
                if let Some(index) = idle.iter().position(|(_, other, _)| *other == id) {
                    idle.swap_remove(index);
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_with_a_result_or_a_failure() {
        let deadline = Deadline::default();
        assert!(matches!(run(Work::Drawing, &deadline, |_| 5), Ok(5)));
        let panicked = run(Work::Drawing, &deadline, |_| panic!("number {}", 5));
        assert!(matches!(panicked, Err::<(), _>(Error::Panicked { message, .. }) if message == "number 5"));
        let (sender, receiver) = mpsc::channel();
        let endless = move |abandoned: &CancelToken| {
            while !abandoned.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
            sender.send(()).expect("the test waits for it");
        };
        let limit = Duration::from_millis(30);
        let late = run(Work::Drawing, &Deadline::after(Some(limit)), endless.clone());
        assert!(matches!(late, Err(Error::TimeLimit { limit: l, .. }) if l == limit));
        receiver.recv().expect("the thread ends");
        let cancel = CancelToken::default();
        cancel.set(true);
        let deadline = deadline.or_cancelled_by(cancel);
        assert!(matches!(run(Work::Drawing, &deadline, endless), Err(Error::Cancelled(Work::Drawing))));
        receiver.recv().expect("the thread ends");
    }

    #[test]
    fn a_thread_is_used_again_but_not_while_it_works() {
        let deadline = Deadline::default();
        let this_thread = |_: &CancelToken| thread::current().id();
        let run_here = || run(Work::Drawing, &deadline, this_thread).expect("it does not fail");
        let nested = run(Work::Drawing, &Deadline::default(), move |_| {
            (thread::current().id(), run(Work::Drawing, &Deadline::default(), this_thread).ok())
        });
        let (outer, inner) = nested.expect("it does not fail");
        assert!(inner.is_some_and(|inner| inner != outer));
        // Other tests may take idle threads too, but not all of these.
        let threads: std::collections::HashSet<_> = (0..1000).map(|_| run_here()).collect();
        assert!(threads.len() < 500, "{} threads", threads.len());
        // A job that comes when threads are about to end is not lost.
        for _ in 0..3 {
            thread::sleep(IDLE_TIME);
            run_here();
        }
    }
}
