//! Compares the current drawing with the one before it, in another thread.

use std::sync::Arc;

use kurbo::TranslateScale;

use super::error::ViewError;
use super::thread::{Report, spawn};
use crate::comparison::Comparison;
use crate::error::with_sources;
use crate::model::Model;
use crate::picture::Frame;
use crate::state::State;

/// A comparison in a view, or the reason why there is none.
pub(crate) type Compared = Result<(Comparison, TranslateScale), String>;

/// The drawing before the current one, and the comparison of both.
#[derive(Default)]
pub(crate) struct Comparer {
    /// The name of the current drawing.
    name: String,
    /// The drawing before it, with its name: the previous version of the file, or another file.
    before: Option<(String, Arc<Model>)>,
    /// The number of drawings so far. Results for another one are outdated.
    n_models: u64,
    /// The view that was last asked for. `None` if it must be asked again.
    requested: Option<Frame>,
    is_computing: bool,
}

impl Comparer {
    /// There is another drawing, with this name.
    pub(crate) fn show(&mut self, name: String) {
        self.name = name;
        self.n_models += 1;
        self.requested = None;
    }

    /// The current drawing is about to be replaced by another version of its file, or else by
    /// another file.
    pub(crate) fn remember(&mut self, model: Arc<Model>, is_same_file: bool) {
        let name = if is_same_file { format!("{} before the change", self.name) } else { self.name.clone() };
        self.before = Some((name, model));
    }

    /// The names of both drawings.
    pub(crate) fn names(&self) -> [String; 2] {
        [self.before.as_ref().map_or_else(String::new, |(name, _)| name.clone()), self.name.clone()]
    }

    /// Starts comparing, if the state asks for it and the comparison of this view is not known.
    pub(crate) fn update(
        &mut self,
        state: &mut State,
        model: Option<&Arc<Model>>,
        report: impl Fn(Report) + Send + 'static,
    ) -> Result<(), ViewError> {
        let (Some(_), Some(model)) = (state.compare, model) else {
            return Ok(());
        };
        let Some((_, before)) = &self.before else {
            state.compare = None;
            state.notify(
                "There is nothing to compare with: change this file, or show another file before it."
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
        let (before, after, n_models) = (Arc::clone(before), Arc::clone(model), self.n_models);
        spawn("boxwood_compare", report, move |report| {
            let drawings = [&before.drawing, &after.drawing];
            let comparison = Comparison::draw(drawings, frame.view, frame.size, frame.background);
            let compared = comparison.map(|comparison| (comparison, frame.view));
            report(Report::Compared(n_models, Box::new(compared.map_err(|error| with_sources(&error)))));
        })
        .map(drop)
    }

    /// A comparison has ended. Returns whether it is that of the current drawing.
    pub(crate) fn receive(&mut self, n_models: u64) -> bool {
        self.is_computing = false;
        n_models == self.n_models
    }
}
