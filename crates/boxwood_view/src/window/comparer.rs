//! Compares the current drawing with another one, in other threads.

use std::sync::Arc;

use boxwood_svg::{CancelToken, Options};
use kurbo::TranslateScale;

use super::error::ViewError;
use super::inputs::ViewInput;
use super::thread::{Report, spawn};
use crate::comparison::Comparison;
use crate::error::with_sources;
use crate::model::Model;
use crate::picture::Frame;
use crate::state::{Compare, State};
use crate::watch::Watch;

/// A comparison in a view, or the reason why there is none.
pub(crate) type Compared = Result<(Comparison, TranslateScale), String>;

/// A file that the user has chosen to compare with.
struct Chosen {
    file: ViewInput,
    /// The number of the last load.
    ticket: u64,
    /// `None` while it is loaded for the first time.
    model: Option<Arc<Model>>,
    cancel: CancelToken,
    /// Watches the file for changes, or says why there is no watch.
    watch: Result<Option<Watch>, String>,
}

impl Drop for Chosen {
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
    /// The number of loads of chosen files so far. The results of earlier ones are outdated.
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

    /// Starts loading a file to compare with, and watches it.
    pub(crate) fn choose(
        &mut self,
        file: ViewInput,
        options: &Options,
        state: &mut State,
        report: impl Fn(Report) + Clone + Send + 'static,
    ) -> Result<(), ViewError> {
        self.change_pair();
        state.compare = state.compare.or(Some(Compare::Blink));
        state.notify(format!("Loading {file} …"));
        // Watching starts before reading, so that no change is missed.
        let changed = report.clone();
        let watch =
            file.path().map(|path| Watch::new(&[path.to_owned()], move || changed(Report::OtherChanged)));
        let watch =
            watch.transpose().map_err(|error| format!("changes to {file} will not be noticed: {error}"));
        let (ticket, cancel) = (self.n_loads, CancelToken::default());
        self.chosen = Some(Chosen { file, ticket, model: None, cancel, watch });
        self.load(options, report)
    }

    /// Loads the chosen file, if there is one. Its last version is compared meanwhile.
    pub(crate) fn load(
        &mut self,
        options: &Options,
        report: impl Fn(Report) + Send + 'static,
    ) -> Result<(), ViewError> {
        let Some(chosen) = &mut self.chosen else { return Ok(()) };
        chosen.cancel.set(true);
        chosen.cancel = CancelToken::default();
        self.n_loads += 1;
        chosen.ticket = self.n_loads;
        let (ticket, file) = (chosen.ticket, chosen.file.clone());
        let options = Options { cancel: Some(chosen.cancel.clone()), ..options.clone() };
        spawn("boxwood_load_other", report, move |report| {
            let model = file.load(&options).map(|drawing| Box::new(Model::new(drawing)));
            report(Report::OtherLoaded(ticket, model.map_err(|error| with_sources(&error))));
        })
        .map(drop)
    }

    /// The chosen file is loaded, or cannot be loaded.
    pub(crate) fn take_other(&mut self, ticket: u64, loaded: Result<Box<Model>, String>, state: &mut State) {
        let Some(chosen) = self.chosen.as_mut().filter(|chosen| chosen.ticket == ticket) else {
            return;
        };
        match loaded {
            Ok(model) => {
                let is_first = chosen.model.replace((*model).into()).is_none();
                state.dismiss_message();
                chosen.watch.as_ref().err().filter(|_| is_first).into_iter().for_each(|notice| {
                    state.notify(notice.clone());
                });
                self.change_pair();
            }
            Err(error) if chosen.model.is_some() => {
                state.fail_command(format!("the last version is compared: {error}"));
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;
    use crate::model::tests::model;
    use crate::state::Area;
    use crate::state::tests::state;

    /// A function that reports, and its reports.
    fn reports() -> (impl Fn(Report) + Clone + Send + 'static, Receiver<Report>) {
        let (sender, reports) = channel();
        (move |report| sender.send(report).expect("the test waits"), reports)
    }

    fn bytes(name: &str, svg: &str) -> ViewInput {
        ViewInput::Bytes { name: name.to_owned(), bytes: svg.as_bytes().into() }
    }

    #[test]
    fn a_file_is_compared_until_the_comparison_ends() {
        let (report, reports) = reports();
        let (mut comparer, mut state) = (Comparer::default(), state(1));
        state.view.resize(Area::whole([100, 100]), 1.0);
        state.view.show_actual_size();
        let model = Arc::new(model(r##"<rect width="50" height="50" fill="#f00"/>"##));
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>"#;
        let options = Options::default();
        comparer.choose(bytes("other.svg", svg), &options, &mut state, report.clone()).expect("it starts");
        comparer.update(&mut state, Some(&model), report.clone()).expect("it waits");
        comparer.show("this.svg".to_owned());
        let Ok(Report::OtherLoaded(ticket, loaded)) = reports.recv() else { panic!("it is not loaded") };
        comparer.take_other(ticket, loaded, &mut state);
        assert_eq!((state.compare, state.message.as_ref()), (Some(Compare::Blink), None));
        assert_eq!(comparer.names(), ["other.svg", "this.svg"]);
        comparer.update(&mut state, Some(&model), report.clone()).expect("it starts");
        let Ok(Report::Compared(n_pairs, compared)) = reports.recv() else { panic!("it is not compared") };
        assert!(comparer.receive(n_pairs));
        assert_eq!(compared.expect("both can be drawn").0.n_different, 50 * 50);

        state.compare = None;
        comparer.update(&mut state, Some(&model), report.clone()).expect("there is nothing to do");
        assert!(!comparer.receive(n_pairs), "a late comparison is outdated");
        state.compare = Some(Compare::Blink);
        comparer.update(&mut state, Some(&model), report).expect("there is nothing to do");
        assert_eq!(state.compare, None, "without the chosen file, there is nothing to compare with");
    }

    #[test]
    fn a_chosen_file_that_changes_is_compared_again() {
        const EMPTY: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>"#;
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let file = folder.path().join("other.svg");
        let write = |text: &str| std::fs::write(&file, text).expect("there is room for a file");
        write(EMPTY);
        let (report, reports) = reports();
        let (mut comparer, mut state) = (Comparer::default(), state(1));
        state.view.resize(Area::whole([100, 100]), 1.0);
        state.view.show_actual_size();
        let model = Arc::new(model(r##"<rect width="50" height="50" fill="#f00"/>"##));
        let options = Options::default();
        let other = ViewInput::Path(file.clone());
        comparer.choose(other, &options, &mut state, report.clone()).expect("it starts");
        // The number of pixels that differ after the next load.
        let n_different = |comparer: &mut Comparer, state: &mut State| {
            // One change may be several events.
            let is_load = |report: &Report| matches!(report, Report::OtherLoaded(..));
            let Some(Report::OtherLoaded(ticket, loaded)) = reports.iter().find(is_load) else {
                panic!("it is not loaded")
            };
            comparer.take_other(ticket, loaded, state);
            comparer.update(state, Some(&model), report.clone()).expect("it starts if it must");
            if !std::mem::take(&mut comparer.is_computing) {
                return None;
            }
            let is_compared = |report: &Report| matches!(report, Report::Compared(..));
            let Some(Report::Compared(_, compared)) = reports.iter().find(is_compared) else {
                panic!("it is not compared")
            };
            Some(compared.expect("both can be drawn").0.n_different)
        };
        let wait_for_change = || {
            let soon = std::time::Duration::from_secs(10);
            assert!(matches!(reports.recv_timeout(soon), Ok(Report::OtherChanged)));
        };
        assert_eq!(n_different(&mut comparer, &mut state), Some(50 * 50));
        write(&EMPTY.replace("/>", r##"><rect width="50" height="20" fill="#f00"/></svg>"##));
        wait_for_change();
        comparer.load(&options, report.clone()).expect("it starts");
        assert_eq!(n_different(&mut comparer, &mut state), Some(50 * 30));
        write("<svg");
        wait_for_change();
        comparer.load(&options, report.clone()).expect("it starts");
        assert_eq!(n_different(&mut comparer, &mut state), None, "the last version stays");
        assert_eq!(state.compare, Some(Compare::Blink));
        let message = state.message.map(|message| message.text).unwrap_or_default();
        assert!(message.starts_with("the last version is compared: cannot load "), "{message}");
    }

    #[test]
    fn a_comparison_of_files_before_another_file_is_outdated() {
        let (report, reports) = reports();
        let (mut comparer, mut state) = (Comparer::default(), state(1));
        let model = Arc::new(model(""));
        comparer.show("a".to_owned());
        comparer.remember(Arc::clone(&model), false);
        comparer.show("b".to_owned());
        state.compare = Some(Compare::Blink);
        comparer.update(&mut state, Some(&model), report).expect("it starts");
        // The user goes to another file, which is being loaded when the comparison ends.
        comparer.remember(model, false);
        let Ok(Report::Compared(n_pairs, _)) = reports.recv() else { panic!("it is not compared") };
        assert!(!comparer.receive(n_pairs), "its names would be those of other files");
    }

    #[test]
    fn files_are_compared_again_after_the_pictures_are_lost() {
        let (report, reports) = reports();
        let (mut comparer, mut state) = (Comparer::default(), state(1));
        let model = Arc::new(model(""));
        comparer.remember(Arc::clone(&model), true);
        comparer.show("a".to_owned());
        state.compare = Some(Compare::Blink);
        let mut is_compared = |comparer: &mut Comparer| {
            comparer.update(&mut state, Some(&model), report.clone()).expect("it starts if it must");
            let started = comparer.is_computing;
            if started {
                let Ok(Report::Compared(n_pairs, _)) = reports.recv() else { panic!("it is not compared") };
                assert!(comparer.receive(n_pairs));
            }
            started
        };
        assert!(is_compared(&mut comparer));
        assert!(!is_compared(&mut comparer), "the comparison is known");
        comparer.lose_pictures();
        assert!(is_compared(&mut comparer));
    }

    #[test]
    fn a_file_that_cannot_be_loaded_ends_the_comparison() {
        let (report, reports) = reports();
        let (mut comparer, mut state) = (Comparer::default(), state(1));
        comparer.choose(bytes("broken", "<svg"), &Options::default(), &mut state, report).expect("it starts");
        let Ok(Report::OtherLoaded(ticket, loaded)) = reports.recv() else { panic!("it is not loaded") };
        comparer.take_other(ticket, loaded, &mut state);
        let message = state.message.as_ref().map(|message| message.text.as_str());
        assert!(
            message.is_some_and(|text| text.starts_with("cannot compare: cannot load broken: ")),
            "{message:?}"
        );
        assert_eq!(state.compare, None);
    }
}
