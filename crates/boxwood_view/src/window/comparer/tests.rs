use std::sync::mpsc::{Receiver, channel};

use super::*;
use crate::commands::Command;
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
    assert!(comparer.loading_since().is_some());
    comparer.show("this.svg".to_owned());
    let Ok(Report::OtherLoaded(ticket, loaded)) = reports.recv() else { panic!("it is not loaded") };
    comparer.take_other(ticket, loaded, &mut state);
    assert_eq!((state.compare, &state.messages[..]), (Some(Compare::Blink), &[][..]));
    assert_eq!(comparer.loading_since(), None);
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
    state.run(Command::ShowLabels);
    let [message] = &state.messages[..] else { panic!("{:?}", state.messages) };
    assert!(message.text.starts_with("the last version is compared: cannot load "), "{message:?}");
    write(EMPTY);
    wait_for_change();
    comparer.load(&options, report.clone()).expect("it starts");
    assert_eq!(n_different(&mut comparer, &mut state), Some(50 * 50));
    assert_eq!(state.messages, [], "the error ends with its cause");
}

#[test]
fn a_load_that_is_cancelled_ends_the_comparison() {
    let (report, reports) = reports();
    let (mut comparer, mut state) = (Comparer::default(), state(1));
    state.fail_command("cannot write a.png".to_owned());
    let other = bytes("other.svg", r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#);
    comparer.choose(other, &Options::default(), &mut state, report).expect("it starts");
    comparer.cancel_load(&mut state);
    assert_eq!((comparer.loading_since(), state.compare), (None, None));
    let Ok(Report::OtherLoaded(ticket, loaded)) = reports.recv() else { panic!("it is not loaded") };
    comparer.take_other(ticket, loaded, &mut state);
    let texts: Vec<_> = state.messages.iter().map(|message| &*message.text).collect();
    assert_eq!(texts, ["cannot write a.png", "The load of other.svg was cancelled."]);
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
    let [message] = &state.messages[..] else { panic!("{:?}", state.messages) };
    assert!(message.text.starts_with("cannot compare: cannot load broken: "), "{message:?}");
    assert_eq!(state.compare, None);
}
