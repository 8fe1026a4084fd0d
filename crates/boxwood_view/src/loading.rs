//! Drawings that are loaded beside the event loop.

use std::thread;
use std::time::Instant;

use boxwood_svg::{Drawing, Options};

use crate::files::ViewInput;

/// A drawing that is being loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loading {
    /// Its place among the files.
    pub(crate) place: usize,
    pub(crate) since: Instant,
    /// Whether the file has changed meanwhile, so that it is to be loaded once more.
    pub(crate) is_outdated: bool,
}

/// Loads a drawing in a thread of its own, and calls `done` there with the scene, or with why there is none.
pub(crate) fn load(
    input: ViewInput,
    options: Options,
    done: impl Fn(Result<Box<Drawing>, String>) + Clone + Send + 'static,
) {
    let in_thread = done.clone();
    let work = move || in_thread(input.load(&options).map(Box::new));
    if let Err(error) = thread::Builder::new().name("boxwood_load".to_owned()).spawn(work) {
        done(Err(format!("cannot start a thread to load in: {error}")));
    }
}
