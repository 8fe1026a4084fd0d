//! Threads with large stacks, which catch panics.
//!
//! usvg, resvg and this crate recurse with the nesting of a drawing, and usvg and resvg panic on
//! some drawings.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::error::{Error, Work};
use crate::guard::deadline::{CancelToken, Deadline};
use crate::guard::limits::{CANCEL_INTERVAL, SMALL_STACK_SIZE, STACK_SIZE};

/// The name of the threads in which drawings are loaded and drawn.
///
/// A panic in them becomes an error with the same message, so the panic hook of a program need not
/// print it.
pub const THREAD_NAME: &str = "boxwood_svg";

/// Runs `work` in a thread with a large stack, and waits for the result until the deadline.
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
    // A thread that cannot be started drops its closure, so the second attempt shares the contents
    // of the first.
    let once = Arc::new(Mutex::new(Some((work, sender, abandoned.clone()))));
    let in_thread = move || {
        let taken = once.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((work, sender, abandoned)) = taken {
            // The receiver is gone if the deadline has passed.
            let _ = sender.send(caught(|| work(&abandoned)));
        }
    };
    let builder = |stack_size| thread::Builder::new().name(THREAD_NAME.to_owned()).stack_size(stack_size);
    let started = builder(STACK_SIZE).spawn(in_thread.clone());
    started.or_else(|_| builder(SMALL_STACK_SIZE).spawn(in_thread)).map_err(Error::Thread)?;
    let program = if kind == Work::Loading { "the loader" } else { "resvg" };
    let panicked = |message| Error::Panicked { program, part: "the drawing", message };
    loop {
        let left = deadline.end().map(|end| end.saturating_duration_since(Instant::now()));
        match receiver.recv_timeout(left.map_or(CANCEL_INTERVAL, |left| left.min(CANCEL_INTERVAL))) {
            Ok(result) => return result.map_err(panicked),
            Err(RecvTimeoutError::Disconnected) => return Err(panicked(message_of(&()))),
            Err(RecvTimeoutError::Timeout) => deadline.check(kind).inspect_err(|_| abandoned.set(true))?,
        }
    }
}

/// The result of `work`, or the message of its panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| message_of(&*payload))
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
}
