//! From bytes to a scene, in a thread of its own.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::drawing::LoadTimes;
use crate::flatten::flatten;
use crate::parse::{Input, parse};
use crate::patience::Patience;
use crate::read::read;
use crate::stack::{self, Failure};
use crate::warnings::Warnings;
use crate::{Drawing, Error, Options};

/// Loads an SVG or SVGZ drawing.
///
/// It is parsed in a thread with a large stack, so that deep nesting is an error and not an overflow. When the time
/// limit is reached, this returns at once, but that thread may go on for a while.
///
/// # Errors
///
/// Bytes that are not an SVG drawing, one beyond usvg's limits (each reference, such as that to a clip path, counts as a use), one whose
/// references lead in a circle, one whose arcs or images are too much, one that usvg panics on, one that takes too long. What
/// [`Options::check`] refuses.
pub fn load(bytes: &[u8], options: &Options) -> Result<Drawing, Error> {
    options.check()?;
    let (input, options) = (Input::new(bytes)?, options.clone());
    let patience = Patience::new(options.time_limit);
    let of_thread = patience.clone();
    stack::run(&patience, move |_| load_here(&input, &options, &of_thread)).map_err(error_of)?
}

/// Loads the SVG or SVGZ drawing in a file.
///
/// The addresses of images are relative to the folder of the file, unless `options` say otherwise.
///
/// # Errors
///
/// As [`load`] and [`read`](crate::read()), and a file that cannot be read. All name the file, but where a folder of fonts is at fault.
pub fn load_file(path: &Path, options: &Options) -> Result<Drawing, Error> {
    let in_file = |error| match error {
        Error::Source { source } => Error::Read { path: path.to_owned(), source },
        of_fonts @ Error::FontDir { .. } => of_fonts,
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
fn load_here(input: &Input, options: &Options, patience: &Patience) -> Result<Drawing, Error> {
    let start = Instant::now();
    let deadline = patience.deadline();
    let warnings = Warnings::default();
    let parsed = stack::caught(|| parse(input, options, &warnings));
    let parsed = parsed.map_err(|message| Error::Panicked { part: "usvg, which reads it,", message })??;
    let parse = start.elapsed();
    let drawing = flatten(parsed, warnings, options.clip_to_viewport, deadline.map(|(deadline, _)| deadline))
        .ok_or_else(|| Error::TimeLimit { limit: deadline.map_or(Duration::ZERO, |(_, limit)| limit) })?;
    Ok(Drawing { times: LoadTimes { parse, flatten: start.elapsed() - parse }, ..drawing })
}

fn error_of(failure: Failure) -> Error {
    match failure {
        Failure::Panicked(message) => Error::Panicked { part: "the loader", message },
        Failure::Late(limit) => Error::TimeLimit { limit },
        Failure::Stopped => unreachable!("nobody else has what stops it"),
        Failure::Thread(source) => Error::Thread { source },
    }
}
