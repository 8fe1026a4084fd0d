//! From bytes to a scene, in a thread of its own.

use std::any::Any;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::flatten::flatten;
use crate::parse::{Input, parse};
use crate::read::read;
use crate::scene::LoadTimes;
use crate::warnings::Warnings;
use crate::{Error, Options, Scene, stack};

/// Loads an SVG or SVGZ drawing.
///
/// It is parsed in a thread with a large stack, so that deep nesting is an error and not an overflow. When the time
/// limit is reached, this returns at once, but that thread may go on for a while.
///
/// # Errors
///
/// Bytes that are not an SVG drawing, one beyond usvg's limits (each reference, such as that to a clip path, counts as a use), one whose
/// references lead in a circle, one that takes too long.
pub fn load(bytes: &[u8], options: &Options) -> Result<Scene, Error> {
    let time_limit = options.time_limit;
    let (sender, receiver) = mpsc::channel();
    let job = Arc::new(Job { input: Input::new(bytes)?, options: options.clone(), sender });
    let thread = stack::start(move || job.run()).map_err(|source| Error::Thread { source })?;
    let received = match time_limit {
        // The thread itself stops shortly after the limit, with the better message.
        Some(limit) => receiver.recv_timeout(limit.saturating_add(Duration::from_millis(200))),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match received {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => Err(Error::TimeLimit { limit: time_limit.unwrap_or_default() }),
        Err(RecvTimeoutError::Disconnected) => {
            let message = thread.join().err().map_or_else(String::new, |payload| panic_message(&*payload));
            Err(Error::Panicked { message })
        }
    }
}

/// Loads the SVG or SVGZ drawing in a file.
///
/// The addresses of images are relative to the folder of the file, unless `options` say otherwise.
///
/// # Errors
///
/// As [`load`] and [`read`](crate::read()), and a file that cannot be read. All name the file.
pub fn load_file(path: &Path, options: &Options) -> Result<Scene, Error> {
    let in_file = |error| match error {
        Error::Source { source } => Error::Read { path: path.to_owned(), source },
        other => Error::InFile { path: path.to_owned(), error: Box::new(other) },
    };
    let file = File::open(path).map_err(|source| in_file(Error::Source { source }))?;
    let bytes = read(file).map_err(in_file)?;
    let mut options = options.clone();
    if options.resources_dir.is_none() {
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
        options.resources_dir = Some(dir.unwrap_or(Path::new(".")).to_owned());
    }
    load(&bytes, &options).map_err(in_file)
}

/// What the loading thread does.
struct Job {
    input: Input,
    options: Options,
    sender: mpsc::Sender<Result<Scene, Error>>,
}

impl Job {
    fn run(&self) {
        // Nobody listens any more when the time limit was reached.
        let _ = self.sender.send(self.load());
    }

    fn load(&self) -> Result<Scene, Error> {
        let time_limit = self.options.time_limit;
        let start = Instant::now();
        let deadline = time_limit.and_then(|limit| start.checked_add(limit));
        let warnings = Warnings::default();
        let parsed = parse(&self.input, &self.options, &warnings)?;
        let parse = start.elapsed();
        let scene = flatten(parsed, warnings, self.options.clip_to_viewport, deadline)
            .ok_or_else(|| Error::TimeLimit { limit: time_limit.unwrap_or_default() })?;
        Ok(Scene { times: LoadTimes { parse, flatten: start.elapsed() - parse }, ..scene })
    }
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_owned())
}
