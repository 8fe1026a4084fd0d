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
fn a_document_that_cannot_be_drawn_keeps_its_view_and_selection_and_is_not_drawn_again() {
    let mut state = state(2);
    state.view.pan(Vec2::new(5.0, 6.0));
    let frame = state.frame();
    state.selected = Some(0);
    assert!(state.is_drawable());
    state.fail_drawing("too many elements".to_owned());
    assert_eq!(texts(&state), ["too many elements"]);
    assert!(!state.is_drawable());
    state.show(Size::new(100.0, 100.0), None);
    assert!(state.is_drawable(), "the next version is drawn");
    assert_eq!((state.selected, state.frame(), texts(&state)), (Some(0), frame, vec![]));
    state.fail_drawing("too many elements".to_owned());
    state.run(Command::Go(Step::Next));
    assert!(!state.is_drawable(), "no document is shown yet");
    state.show(Size::new(100.0, 100.0), None);
    assert!(state.is_drawable(), "another file is drawn");
}

/// The texts of the messages.
fn texts(state: &State) -> Vec<&str> {
    state.messages.iter().map(|message| message.text.as_str()).collect()
}

/// The messages are on the screen.
fn see_messages(state: &mut State) {
    state.messages.iter_mut().for_each(|message| message.shown_at = Some(0.0));
}

#[test]
fn a_failed_reload_keeps_the_drawing_and_its_error_until_the_next_load() {
    let mut state = state(1);
    state.put_message(Topic::File, "no SVG".to_owned());
    assert!(state.view.document().is_some());
    assert_eq!(state.title(), "0.svg — error — 100 % — 1/1");
    see_messages(&mut state);
    state.run(Command::FitWindow);
    assert_eq!(texts(&state), ["no SVG"], "an error stays");
    state.show(Size::new(100.0, 100.0), Some("a mask".to_owned()));
    assert_eq!(texts(&state), ["a mask"]);
    state.show(Size::new(100.0, 100.0), Some("a filter".to_owned()));
    assert_eq!(texts(&state), ["a filter"], "those of the last version are outdated");
    see_messages(&mut state);
    state.run(Command::ToggleKind(OverlayKinds::CLIP));
    assert_eq!((texts(&state), state.overlay), (vec![], OverlayKinds::CLIP));
}

#[test]
fn a_drawing_that_is_loaded_keeps_the_messages_about_other_things() {
    let mut state = state(1);
    state.show_files(FileList::new(state.files.names().to_vec(), 0));
    let kept = [
        (Topic::Opening, "there is no file b.svg"),
        (Topic::Command, "cannot write a.png"),
        (Topic::Shaders, "the shader has an error"),
        (Topic::Comparison, "the last version is compared"),
        (Topic::Event, "changes to the file will not be noticed"),
        (Topic::Event, "new files will not be noticed"),
    ];
    for (topic, text) in kept {
        state.put_message(topic, text.to_owned());
    }
    state.show(Size::new(100.0, 100.0), None);
    assert_eq!(texts(&state), kept.map(|(_, text)| text));
}

#[test]
fn errors_about_the_file_and_the_shaders_end_apart() {
    let mut state = state(2);
    state.put_message(Topic::Shaders, "the shader has an error".to_owned());
    state.put_message(Topic::File, "the file is gone".to_owned());
    state.end_message(Topic::Shaders);
    assert_eq!(texts(&state), ["the file is gone"]);
    state.put_message(Topic::Shaders, "the shader has an error".to_owned());
    state.run(Command::Go(Step::Next));
    assert_eq!(texts(&state), ["the shader has an error"]);
    assert!(state.title().contains("error"), "{}", state.title());
}

#[test]
fn an_error_about_a_command_ends_by_the_next_such_command_or_by_esc() {
    let mut state = state(1);
    state.selected = Some(0);
    let fail = |state: &mut State| {
        state.fail_command("cannot write a.png".to_owned());
        see_messages(state);
    };
    fail(&mut state);
    state.run(Command::FitWindow);
    state.notify("copied".to_owned());
    assert_eq!(texts(&state), ["cannot write a.png", "copied"]);
    state.run(Command::SaveTrace);
    assert_eq!(texts(&state), ["copied"]);
    fail(&mut state);
    state.run(Command::Cancel);
    assert_eq!((texts(&state), state.selected), (vec![], Some(0)));
    state.run(Command::Cancel);
    assert_eq!(state.selected, None);
}

#[test]
fn cancel_closes_a_sheet_then_ends_work_then_clears_the_selection_then_quits() {
    let mut state = state(1);
    state.selected = Some(0);
    state.run(Command::ShowHelp);
    state.run(Command::Cancel);
    assert_eq!((state.sheet, state.selected), (None, Some(0)));
    for busy in [Busy::Drawing, Busy::Stopping] {
        state.busy = Some(busy);
        state.run(Command::Cancel);
        assert_eq!((state.selected, state.take_requests()), (Some(0), vec![Request::CancelWork]));
    }
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
