//! Compares the current drawing with another one, in other threads.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Instant;

use boxwood_cli::Watch;
use boxwood_render::{Frame, with_sources};
use boxwood_svg::{CancelToken, Options};
use kurbo::TranslateScale;

use super::error::ViewError;
use super::inputs::ViewInput;
use super::thread::{Report, spawn};
use crate::comparison::Comparison;
use crate::model::Model;
use crate::state::{Compare, State, Topic};

/// A comparison in a view, or the reason why there is none.
pub(crate) type Compared = Result<(Comparison, TranslateScale), String>;

/// A file that the user has chosen to compare with.
struct Chosen {
    file: ViewInput,
    /// `None` while it is loaded for the first time.
    model: Option<Arc<Model>>,
    /// The load that has not ended.
    load: Option<Load>,
    /// Watches the file for changes.
    _watch: Option<Watch>,
}

/// A load, which is cancelled when it is dropped.
struct Load {
    since: Instant,
    cancel: CancelToken,
}

impl Drop for Load {
    fn drop(&mut self) {
        self.cancel.set(true);
    }
}

/// The drawing that the current one is compared with, and the comparison of both.
#[derive(Default)]
pub(crate) struct Comparer {
    /// The name of the current drawing.
    name: String,
    /// The drawing before it, with its name: the previous version of the file, or another file.
    before: Option<(String, Arc<Model>)>,
    /// The file in place of the drawing before, until the comparison ends.
    chosen: Option<Chosen>,
    /// The number of loads of chosen files so far, which is the ticket of the last. The results of
    /// earlier ones are outdated.
    n_loads: u64,
    /// The number of pairs of drawings so far. Results for another pair are outdated.
    n_pairs: u64,
    /// The view that was last asked for. `None` if it must be asked again.
    requested: Option<Frame>,
    is_computing: bool,
}

impl Comparer {
    /// There is another drawing, with this name.
    pub(crate) fn show(&mut self, name: String) {
        self.name = name;
        self.change_pair();
    }

    /// The current drawing is about to be replaced by another version of its file, or else by
    /// another file.
    pub(crate) fn remember(&mut self, model: Arc<Model>, is_same_file: bool) {
        let name = if is_same_file { format!("{} before the change", self.name) } else { self.name.clone() };
        self.before = Some((name, model));
        self.change_pair();
    }

    /// The pictures on the screen are lost.
    pub(crate) fn lose_pictures(&mut self) {
        self.requested = None;
    }

    /// Starts loading a file to compare with, and watches it. The comparison ends if there is an
    /// error.
    pub(crate) fn choose(
        &mut self,
        file: ViewInput,
        options: &Options,
        state: &mut State,
        report: impl Fn(Report) + Clone + Send + 'static,
    ) -> Result<(), ViewError> {
        self.change_pair();
        state.end_message(Topic::Comparison);
        // Watching starts before reading, so that no change is missed.
        let changed = report.clone();
        let watch =
            file.path().map(|path| Watch::new(&[path.to_owned()], move || changed(Report::OtherChanged)));
        let watch = watch.transpose().unwrap_or_else(|error| {
            state.notify(format!("changes to {file} will not be noticed: {error}"));
            None
        });
        self.chosen = Some(Chosen { file, model: None, load: None, _watch: watch });
        let started = self.load(options, report);
        state.compare = started.is_ok().then(|| state.compare.unwrap_or(Compare::Blink));
        started
    }

    /// Loads the chosen file, if there is one. Its last version is compared meanwhile.
    pub(crate) fn load(
        &mut self,
        options: &Options,
        report: impl Fn(Report) + Send + 'static,
    ) -> Result<(), ViewError> {
        let Some(chosen) = &mut self.chosen else { return Ok(()) };
        // The load before is cancelled.
        chosen.load = None;
        let load = Load { since: Instant::now(), cancel: CancelToken::default() };
        self.n_loads += 1;
        let (ticket, file) = (self.n_loads, chosen.file.clone());
        let options = Options { cancel: Some(load.cancel.clone()), ..options.clone() };
        spawn("boxwood_load_other", report, move |report| {
            let model = file.load(&options).map(|drawing| Box::new(Model::new(drawing)));
            report(Report::OtherLoaded(ticket, model.map_err(|error| with_sources(&error))));
        })?;
        chosen.load = Some(load);
        Ok(())
    }

    /// The start of the load of the chosen file, while it goes on.
    pub(crate) fn loading_since(&self) -> Option<Instant> {
        Some(self.chosen.as_ref()?.load.as_ref()?.since)
    }

    /// Cancels the load of the chosen file. Its last version stays, or else the comparison ends.
    pub(crate) fn cancel_load(&mut self, state: &mut State) {
        let Some(chosen) = &mut self.chosen else { return };
        chosen.load = None;
        self.n_loads += 1;
        if chosen.model.is_none() {
            state.compare = None;
        }
        state.notify(format!("The load of {} was cancelled.", chosen.file));
    }

    /// The chosen file is loaded, or cannot be loaded.
    pub(crate) fn take_other(&mut self, ticket: u64, loaded: Result<Box<Model>, String>, state: &mut State) {
        let Some(chosen) = self.chosen.as_mut().filter(|_| ticket == self.n_loads) else {
            return;
        };
        chosen.load = None;
        match loaded {
            Ok(model) => {
                chosen.model = Some((*model).into());
                state.end_message(Topic::Comparison);
                self.change_pair();
            }
            Err(error) if chosen.model.is_some() => {
                state.put_message(Topic::Comparison, format!("the last version is compared: {error}"));
            }
            Err(error) => {
                state.compare = None;
                state.fail_command(format!("cannot compare: {error}"));
            }
        }
    }

    /// The names of both drawings.
    pub(crate) fn names(&self) -> [String; 2] {
        let chosen = self.chosen.as_ref().map(|chosen| chosen.file.name());
        let other = chosen.or_else(|| self.before.as_ref().map(|(name, _)| name.clone()));
        [other.unwrap_or_default(), self.name.clone()]
    }

    /// Starts comparing, if the state asks for it and the comparison of this view is not known.
    pub(crate) fn update(
        &mut self,
        state: &mut State,
        model: Option<&Arc<Model>>,
        report: impl Fn(Report) + Send + 'static,
    ) -> Result<(), ViewError> {
        if state.compare.is_none() && (self.requested.is_some() || self.chosen.is_some()) {
            self.chosen = None;
            state.end_message(Topic::Comparison);
            self.change_pair();
        }
        let (Some(_), Some(model)) = (state.compare, model) else {
            return Ok(());
        };
        let other = match &self.chosen {
            Some(Chosen { model: None, .. }) => return Ok(()),
            Some(Chosen { model, .. }) => model.as_ref(),
            None => self.before.as_ref().map(|(_, model)| model),
        };
        let Some(other) = other else {
            state.compare = None;
            state.notify(
                "There is nothing to compare with: change this file, show another file before it, or choose \
                 one in the list of files."
                    .to_owned(),
            );
            return Ok(());
        };
        let frame = state.frame();
        if self.is_computing || self.requested.as_ref() == Some(&frame) {
            return Ok(());
        }
        self.requested = Some(frame.clone());
        self.is_computing = true;
        let (other, model, n_pairs) = (Arc::clone(other), Arc::clone(model), self.n_pairs);
        spawn("boxwood_compare", report, move |report| {
            let drawings = [&other.drawing, &model.drawing];
            let comparison = Comparison::draw(drawings, &frame);
            let compared = comparison.map(|comparison| (comparison, frame.view));
            report(Report::Compared(n_pairs, Box::new(compared.map_err(|error| with_sources(&error)))));
        })
        .map(drop)
    }

    /// A comparison has ended. Returns whether it is that of the current pair.
    pub(crate) fn receive(&mut self, n_pairs: u64) -> bool {
        self.is_computing = false;
        n_pairs == self.n_pairs
    }

    /// Results so far are outdated.
    fn change_pair(&mut self) {
        self.n_pairs += 1;
        self.requested = None;
    }
}
