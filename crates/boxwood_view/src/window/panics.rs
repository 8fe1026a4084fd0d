//! Panics of other crates that become errors.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

use super::loss::Loss;

/// The panics that are caught.
#[derive(Clone, Debug)]
pub(super) enum Caught {
    All,
    /// Those while a device is lost: wgpu panics in some of the calls that find that out.
    IfLost(Loss),
}

thread_local! {
    static CAUGHT: RefCell<Option<Caught>> = const { RefCell::new(None) };
}

/// Whether this thread is inside a call of this crate that turns panics into errors.
///
/// winit panics if a library of the windowing system is missing, and wgpu if a device is lost. The
/// window reports such a panic as an error, but the panic hook of the program still sees it. The
/// hook may call this function to leave out the report.
pub fn is_catching_panics() -> bool {
    CAUGHT.with_borrow(|caught| match caught {
        Some(Caught::All) => true,
        Some(Caught::IfLost(loss)) => loss.reason().is_some(),
        None => false,
    })
}

/// Does `work`, and returns a panic in it that is caught. Other panics go on.
///
/// Nothing that `work` changes may be used after a panic, except to replace it.
pub(super) fn catch<T>(caught: Caught, work: impl FnOnce() -> T) -> thread::Result<T> {
    CAUGHT.set(Some(caught));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let is_caught = is_catching_panics();
    CAUGHT.set(None);
    match result {
        Err(payload) if !is_caught => panic::resume_unwind(payload),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_caught_only_while_a_device_is_lost() {
        let loss = Loss::default();
        let panics = || catch(Caught::IfLost(loss.clone()), || panic!("as it should"));
        assert!(panic::catch_unwind(AssertUnwindSafe(panics)).is_err(), "it goes on");
        loss.set("a reason".to_owned());
        assert!(panics().is_err());
        assert!(!is_catching_panics());
        assert_eq!(catch(Caught::All, || 7).ok(), Some(7));
    }
}
