//! Loading: from bytes to a drawing, in a thread of its own.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::drawing::{Drawing, LoadTimes};
use crate::error::{Error, Work};
use crate::geometry::sized;
use crate::guard::clock::Instant;
use crate::guard::deadline::Deadline;
use crate::guard::thread;
use crate::lower::lower;
use crate::options::Options;
use crate::raster::cost::Costs;
use crate::raster::images::RasterImages;
use crate::read::bytes::{read, text};
use crate::read::tree::{Parsed, parse};
use crate::text::without;
use crate::warnings::Warnings;

/// Loads an SVG or SVGZ drawing.
///
/// A thread with a large stack does the work, so that deep nesting does not overflow the stack. At
/// the time limit, or if the load is cancelled, this returns at once, but that thread goes on until
/// the current step ends.
///
/// # Errors
///
/// - The errors of [`Options::check`].
/// - [`Error::Empty`], [`Error::OtherFormat`], [`Error::Gzip`], [`Error::NotUtf8`],
///   [`Error::Encoding`], [`Error::Xml`], [`Error::NotSvg`] or [`Error::InvalidSize`] if the bytes
///   are not an SVG drawing.
/// - [`Error::ReferenceCycle`] if elements refer to each other in a cycle.
/// - [`Error::Panicked`] if usvg or this crate panics.
/// - [`Error::Limit`] or [`Error::TimeLimit`] if the drawing exceeds a limit.
/// - [`Error::Cancelled`] if [`Options::cancel`] is set.
/// - [`Error::Thread`] if the thread cannot be started.
/// - [`Error::Scene`] if this crate produces an invalid scene, which is a bug.
pub fn load(bytes: &[u8], options: &Options) -> Result<Drawing, Error> {
    options.check()?;
    let (text, options) = (text(bytes)?, options.clone());
    let deadline =
        Deadline::after(options.time_limit).or_cancelled_by(options.cancel.clone().unwrap_or_default());
    let clone = deadline.clone();
    thread::run(Work::Loading, &deadline, move |_| load_here(text, &options, &clone))?
}

/// Loads the SVG or SVGZ drawing in a file.
///
/// The addresses of images are relative to the folder of the file, unless the options name another
/// folder.
///
/// # Errors
///
/// - [`Error::Read`] if the file cannot be read.
/// - [`Error::FontDir`] if a font folder cannot be listed.
/// - [`Error::InFile`] with the errors of [`load`] and [`read`](crate::read()).
pub fn load_file(path: &Path, options: &Options) -> Result<Drawing, Error> {
    let in_file = |error| match error {
        Error::Reader(source) => Error::Read { path: path.to_owned(), source },
        of_fonts @ Error::FontDir { .. } => of_fonts,
        other => Error::InFile { path: path.to_owned(), source: Box::new(other) },
    };
    let bytes = File::open(path).map_err(Error::Reader).and_then(read).map_err(in_file)?;
    let mut options = options.clone();
    if options.resources_dir.is_none() {
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
        options.resources_dir = Some(dir.unwrap_or(Path::new(".")).to_owned());
    }
    load(&bytes, &options).map_err(in_file)
}

/// The work of the loading thread.
fn load_here(text: String, options: &Options, deadline: &Deadline) -> Result<Drawing, Error> {
    let (start, warnings) = (Instant::now(), Warnings::default());
    let text = options.removed_id.as_ref().and_then(|id| without(&text, id)).unwrap_or(text);
    let parsed = thread::caught(|| parse(&text, options, &warnings, deadline));
    let Parsed {
        tree,
        elements: document,
        user_spaces,
        document: styled,
        uncertain,
        unknown_ink,
        image_files,
    } = parsed.map_err(|message| Error::Panicked { program: "usvg", part: "the drawing", message })??;
    let parse = start.elapsed();

    let size = sized(tree.size()).size();
    let mut costs = Costs::new(size);
    let (elements, streams) =
        lower(&tree, document, styled.root_element().id(), options, &warnings, deadline)?;
    let (sources, origins, document) = streams.sources.finish();
    Ok(Drawing {
        encoding: streams.encoding,
        raster_images: Arc::new(RasterImages::new(streams.raster_images, &mut costs)),
        luminance_masks: RasterImages::new(streams.luminance_masks, &mut costs),
        elements: elements.into(),
        table: streams.table,
        effects: streams.effects,
        signatures: if options.comparable { streams.signatures } else { Vec::new() },
        opaque_boxes: streams.opaque_boxes,
        shapeless: streams.shapeless,
        leaves_in_texts: streams.leaves_in_texts,
        sources,
        image_files,
        size,
        warnings: warnings.take(),
        tree_cost: costs.of_contents(tree.root()),
        tree: Arc::new(tree),
        styled,
        original: OnceLock::new(),
        uncertain,
        unknown_ink,
        document,
        times: LoadTimes { parse, lower: start.elapsed() - parse },
        user_spaces,
        origins,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::deadline::CancelToken;

    #[test]
    fn the_thread_of_a_cancelled_load_ends_before_the_next_step() {
        let (options, warnings, cancel) = (Options::default(), Warnings::default(), CancelToken::default());
        let deadline = Deadline::default().or_cancelled_by(cancel.clone());
        let text = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='9' height='9'/></svg>";
        let Parsed { tree, elements, document, .. } =
            parse(text, &options, &warnings, &deadline).expect("it is correct");
        cancel.set(true);
        let parsed = parse(text, &options, &warnings, &deadline).err();
        let lowered =
            lower(&tree, elements, document.root_element().id(), &options, &warnings, &deadline).err();
        for error in [parsed, lowered] {
            assert!(matches!(error, Some(Error::Cancelled(Work::Loading))), "{error:?}");
        }
    }
}
