use kurbo::Vec2;

use super::*;
use crate::model::tests::{index, model};

/// The state of `n_files` files, whose first has a document of 100 x 100.
pub(crate) fn state(n_files: usize) -> State {
    let name = |i| FileName { name: format!("{i}.svg"), folder: String::new(), path: format!("/{i}.svg") };
    let files = FileList::new((0..n_files).map(name).collect(), 0);
    let mut state = State::new(files, OverlayKinds::NONE, OverlaySource::Scene, Background::Checker);
    state.view.resize(Area::whole([800, 600]), 2.0);
    state.show(Size::new(100.0, 100.0), None);
    state
}

#[test]
fn the_title_has_the_file_the_state_and_the_zoom() {
    let mut state = state(2);
    assert_eq!(state.title(), "0.svg — 100 % — 1/2");
    state.busy = Some(Busy::Drawing);
    assert_eq!(state.title(), "0.svg — drawing — 100 % — 1/2");
    state.busy = Some(Busy::Loading);
    state.view.zoom(Point::ZERO, 0.0468);
    assert_eq!(state.title(), "0.svg — loading — 4.68 % — 1/2");
}

#[test]
fn another_file_has_a_view_of_its_own_and_is_loaded() {
    let mut state = state(3);
    let start = state.frame();
    state.view.pan(Vec2::new(5.0, 6.0));
    state.selected = Some(0);
    state.run(Command::Go(Step::Previous));
    assert_eq!(state.take_requests(), [Request::Load]);
    assert_eq!((state.file_name(), state.selected), ("2.svg", None));
    state.show(Size::new(100.0, 100.0), None);
    assert_eq!(state.frame(), start);
    state.run(Command::Go(Step::Next));
    assert_eq!(state.title(), "0.svg — 100 % — 1/3");
    let mut alone = self::state(1);
    alone.run(Command::Go(Step::Next));
    assert_eq!(alone.take_requests(), [], "there is no other file");
}

#[test]
fn a_failed_reload_keeps_the_drawing_and_its_error_until_the_next_load() {
    let mut state = state(1);
    state.fail("no SVG".to_owned());
    assert!(state.view.document().is_some());
    assert_eq!(state.title(), "0.svg — error — 100 % — 1/1");
    state.run(Command::FitWindow);
    assert!(state.error.is_some(), "an error stays");
    state.show(Size::new(100.0, 100.0), Some("a mask".to_owned()));
    assert_eq!(state.error, None);
    assert!(state.message.as_ref().is_some_and(|message| message.severity == Severity::Notice));
    state.run(Command::ToggleKind(OverlayKinds::CLIP));
    assert_eq!((&state.message, state.overlay), (&None, OverlayKinds::CLIP));
}

#[test]
fn a_message_about_a_command_is_shown_beside_an_error_until_the_next_command() {
    let mut state = state(1);
    state.fail("no SVG".to_owned());
    state.fail_command("cannot write a.png".to_owned());
    let message = Message::new(Severity::Error, "cannot write a.png".to_owned());
    assert_eq!((state.message.as_ref(), state.error.as_deref()), (Some(&message), Some("no SVG")));
    state.notify("copied".to_owned());
    assert!(state.message.as_ref().is_some_and(|message| message.severity == Severity::Notice));
    state.run(Command::FitWindow);
    assert_eq!((state.message, state.error.as_deref()), (None, Some("no SVG")));
}

#[test]
fn a_document_that_cannot_be_drawn_leaves_its_error_alone() {
    let mut state = state(1);
    state.fail_drawing("too many elements".to_owned());
    assert!(state.view.document().is_none());
    assert_eq!(state.error.as_deref(), Some("too many elements"));
    state.show(Size::new(100.0, 100.0), None);
    assert!(state.view.document().is_some() && state.error.is_none(), "the next version is drawn");
}

#[test]
fn cancel_closes_a_sheet_then_ends_work_then_clears_the_selection_then_quits() {
    let mut state = state(1);
    state.selected = Some(0);
    state.run(Command::ShowHelp);
    state.run(Command::Cancel);
    assert_eq!((state.sheet, state.selected), (None, Some(0)));
    state.busy = Some(Busy::Drawing);
    state.run(Command::Cancel);
    assert_eq!((state.selected, state.take_requests()), (Some(0), vec![Request::CancelWork]));
    state.busy = None;
    state.run(Command::Cancel);
    assert_eq!((state.selected, state.take_requests()), (None, Vec::new()));
    state.run(Command::Cancel);
    assert_eq!(state.take_requests(), [Request::Quit]);
}

#[test]
fn showing_one_panel_shows_the_hidden_ones() {
    let mut state = state(1);
    state.run(Command::ToggleTree);
    assert!(!state.layout.has_tree);
    state.run(Command::TogglePanels);
    state.run(Command::ToggleTree);
    assert!(state.layout.has_tree && state.layout.has_inspector && !state.layout.is_hidden);
}

#[test]
fn the_selection_stays_on_the_source_at_the_same_path() {
    let old = model(r#"<rect id="a" width="9" height="9"/><rect id="b" width="9" height="9"/>"#);
    let new = model(r#"<g/><rect id="x" width="9" height="9"/><rect id="b" width="9" height="9"/>"#);
    let shorter = model(r#"<rect id="a" width="9" height="9"/>"#);
    let mut state = state(1);
    state.selected = Some(index(&old, "b"));
    state.replace_model(Some(&old), &new);
    assert_eq!(state.selected, Some(index(&new, "b")));
    state.replace_model(Some(&new), &shorter);
    assert_eq!(state.selected, None);
}

#[test]
fn the_end_of_an_error_keeps_another_one() {
    let mut state = state(1);
    state.fail("the shader has an error".to_owned());
    state.fail("the file is gone".to_owned());
    state.end_error("the shader has an error");
    assert_eq!(state.error.as_deref(), Some("the file is gone"));
    state.end_error("the file is gone");
    assert_eq!(state.error, None);
}
