//! Loading the current file in another thread, and watching it.

use std::sync::Arc;
use std::time::Instant;

use boxwood_cli::Watch;
use boxwood_svg::CancelToken;
use winit::event_loop::EventLoopProxy;

use super::error::ViewError;
use super::inputs::ViewInput;
use super::priority::lower_priority;
use super::thread::{Report, reporter, spawn};
use crate::model::Model;

/// A drawing that is being loaded.
#[derive(Clone, Debug)]
struct Load {
    file: ViewInput,
    since: Instant,
    /// Whether the file has changed meanwhile, so that it must be loaded again.
    is_outdated: bool,
}

/// Loads one file at a time.
pub(crate) struct Loader {
    proxy: EventLoopProxy<Report>,
    options: boxwood_svg::Options,
    watch: Option<Watch>,
    load: Option<Load>,
    /// Cancels the last load.
    cancel: CancelToken,
    /// The number of loads so far, which is the ticket of the last. Results with another ticket are
    /// outdated.
    ticket: u64,
}

impl Loader {
    pub(crate) fn new(proxy: EventLoopProxy<Report>, options: boxwood_svg::Options) -> Self {
        Self { proxy, options, watch: None, load: None, cancel: CancelToken::default(), ticket: 0 }
    }

    pub(crate) fn options(&self) -> &boxwood_svg::Options {
        &self.options
    }

    /// The ticket of the last load.
    pub(crate) fn ticket(&self) -> u64 {
        self.ticket
    }

    /// The start of the load that is going on.
    pub(crate) fn since(&self) -> Option<Instant> {
        self.load.as_ref().map(|load| load.since)
    }

    /// Whether this file is being loaded. It is then loaded again afterwards: a file that changes
    /// often is not loaded in several threads at once.
    pub(crate) fn joins_load_of(&mut self, file: &ViewInput) -> bool {
        let load = self.load.as_mut().filter(|load| load.file == *file);
        load.map(|load| load.is_outdated = true).is_some()
    }

    /// Starts loading a file, and cancels the load of another one. Returns a notice if changes of
    /// the file will not be noticed.
    pub(crate) fn start(&mut self, file: &ViewInput) -> Result<Option<String>, ViewError> {
        // Watching starts before reading, so that no change is missed.
        let report = reporter(&self.proxy);
        let watch =
            file.path().map(|path| Watch::new(&[path.to_owned()], move || report(Report::FileChanged)));
        let (watch, error) = match watch.transpose() {
            Ok(watch) => (watch, None),
            Err(error) => (None, Some(error)),
        };
        self.watch = watch;
        self.abandon();
        self.cancel = CancelToken::default();
        self.load = Some(Load { file: file.clone(), since: Instant::now(), is_outdated: false });
        let options = boxwood_svg::Options { cancel: Some(self.cancel.clone()), ..self.options.clone() };
        let (ticket, file) = (self.ticket, file.clone());
        spawn("boxwood_load", reporter(&self.proxy), move |report| {
            let model = file.load(&options).map(|drawing| Arc::new(Model::new(drawing)));
            let loaded = model.as_ref().ok().cloned();
            report(Report::Loaded(ticket, model));
            // The first selector in the filter of the tree then need not wait.
            lower_priority();
            loaded.iter().for_each(|model| model.drawing.prepare_selectors());
        })?;
        Ok(error.map(|error| format!("changes to the file will not be noticed: {error}")))
    }

    /// Cancels the load. Its thread ends after the current step, and its result is outdated.
    pub(crate) fn abandon(&mut self) {
        self.cancel.set(true);
        self.load = None;
        self.ticket += 1;
    }

    /// Ends the load. Returns whether the file has changed meanwhile.
    pub(crate) fn end(&mut self) -> bool {
        self.load.take().is_some_and(|load| load.is_outdated)
    }
}
