//! Threads with large stacks, in which panics are caught: parsing, lowering and drawing recurse with the nesting of a drawing, and
//! usvg and resvg panic on some.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::patience::{Patience, Stop};

/// The name of the threads in which drawings are loaded and drawn. What panics there is caught and becomes an error with the same
/// message, so that a program may keep its panic hook from printing it.
pub const THREAD_NAME: &str = "boxwood_svg";

/// The stack of such a thread, in bytes. This is address space; only what is used is memory.
const STACK_SIZE: usize = 512 << 20;

/// The stack where there is no address space for [`STACK_SIZE`], in bytes.
const SMALL_STACK_SIZE: usize = 64 << 20;

/// How often it is looked whether the result of work is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Why work has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It panicked, with this message.
    Panicked(String),
    /// It took longer than this limit.
    Late(Duration),
    /// It was stopped.
    Stopped,
    /// No thread could be started.
    Thread(io::Error),
}

/// Runs `work` in a thread with the largest stack that there is room for, and waits for it as long as there is patience.
///
/// Where that ends first, this returns at once. The thread goes on until `work` looks at the [`Stop`] that it is given.
pub(crate) fn run<T: Send + 'static>(
    patience: &Patience,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> Result<T, Failure> {
    let (sender, receiver) = mpsc::channel();
    let abandoned = Stop::default();
    // A thread that does not start keeps its closure, so that what is to be done is shared with the next attempt.
    let once = Arc::new(Mutex::new(Some((work, sender, abandoned.clone()))));
    let in_thread = move || {
        let taken = once.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((work, sender, abandoned)) = taken {
            // Nobody listens any more when the patience has ended.
            let _ = sender.send(caught(|| work(&abandoned)));
        }
    };
    let started = builder(STACK_SIZE).spawn(in_thread.clone());
    started.or_else(|_| builder(SMALL_STACK_SIZE).spawn(in_thread)).map_err(Failure::Thread)?;
    loop {
        let wait = patience.left().map_or(LOOK_EVERY, |left| left.min(LOOK_EVERY));
        match receiver.recv_timeout(wait) {
            Ok(result) => return result.map_err(Failure::Panicked),
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::Panicked(message_of(&()))),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(failure) = go_on(patience) {
            abandoned.set(true);
            return Err(failure);
        }
    }
}

/// The result of `work`, or the message of its panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| message_of(&*payload))
}

fn go_on(patience: &Patience) -> Result<(), Failure> {
    if patience.stop.is_set() {
        return Err(Failure::Stopped);
    }
    match patience.deadline() {
        Some((deadline, limit)) if Instant::now() >= deadline => Err(Failure::Late(limit)),
        _ => Ok(()),
    }
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_owned())
}

fn builder(stack_size: usize) -> thread::Builder {
    thread::Builder::new().name(THREAD_NAME.to_owned()).stack_size(stack_size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_with_a_result_or_for_a_reason() {
        let patience = Patience::default();
        assert!(matches!(run(&patience, |_| 5), Ok(5)));
        let panicked = run(&patience, |_| panic!("number {}", 5));
        assert!(matches!(panicked, Err::<(), _>(Failure::Panicked(message)) if message == "number 5"));
        let (sender, receiver) = mpsc::channel();
        let endless = move |abandoned: &Stop| {
            while !abandoned.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
            sender.send(()).expect("the test waits for it");
        };
        let limit = Duration::from_millis(30);
        let late = run(&Patience::new(Some(limit)), endless.clone());
        assert!(matches!(late, Err(Failure::Late(of)) if of == limit));
        receiver.recv().expect("it is told to end");
        patience.stop.set(true);
        assert!(matches!(run(&patience, endless), Err(Failure::Stopped)));
        receiver.recv().expect("it is told to end");
    }
}
