//! The meaning of keys and of the mouse wheel.

use winit::event::{KeyEvent, MouseScrollDelta};
use winit::keyboard::{Key as Logical, KeyCode, ModifiersState, NamedKey, PhysicalKey};

use crate::overlay::{OVERLAY_STYLES, OverlayKinds};

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Toggle(OverlayKinds),
    HideBoxes,
    Fit,
    ActualSize,
    Reset,
    ZoomIn,
    ZoomOut,
    PreviousFile,
    NextFile,
    NextBackground,
    Reload,
    Quit,
}

/// A key of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// A key that writes a character, in lower case.
    Character(char),
    /// The same with Ctrl or Cmd held.
    Command(char),
    Named(NamedKey),
}

/// The action of a key event.
pub(crate) fn action_of_event(event: &KeyEvent, modifiers: ModifiersState) -> Option<Action> {
    let is_command = modifiers.control_key() || modifiers.super_key();
    let character = |c: char| if is_command { Key::Command(c) } else { Key::Character(c) };
    let logical = match &event.logical_key {
        Logical::Named(named) => Some(Key::Named(*named)),
        Logical::Character(text) => text.chars().next().map(|c| character(c.to_ascii_lowercase())),
        _ => None,
    };
    // On some keyboards the row of digits writes digits only with Shift.
    let digit = match event.physical_key {
        PhysicalKey::Code(KeyCode::Digit0 | KeyCode::Numpad0) => Some('0'),
        PhysicalKey::Code(KeyCode::Digit1 | KeyCode::Numpad1) => Some('1'),
        PhysicalKey::Code(KeyCode::Digit2 | KeyCode::Numpad2) => Some('2'),
        PhysicalKey::Code(KeyCode::Digit3 | KeyCode::Numpad3) => Some('3'),
        PhysicalKey::Code(KeyCode::Digit4 | KeyCode::Numpad4) => Some('4'),
        _ => None,
    };
    logical.into_iter().chain(digit.map(character)).find_map(action_of)
}

fn action_of(key: Key) -> Option<Action> {
    use Key::{Character, Command, Named};
    Some(match key {
        Character('0') => Action::HideBoxes,
        Character('f') => Action::Fit,
        Command('0') => Action::ActualSize,
        Named(NamedKey::Space) => Action::Reset,
        Character('+' | '=') | Command('+' | '=') => Action::ZoomIn,
        Character('-') | Command('-') => Action::ZoomOut,
        Named(NamedKey::ArrowLeft) => Action::PreviousFile,
        Named(NamedKey::ArrowRight) => Action::NextFile,
        Character('b') => Action::NextBackground,
        Character('r') => Action::Reload,
        Named(NamedKey::Escape) | Character('q') | Command('q') => Action::Quit,
        Character(digit) => Action::Toggle(OVERLAY_STYLES.iter().find(|style| style.key == digit)?.kind),
        _ => return None,
    })
}

/// The logical pixels that count as one step of zooming, on devices that report pixels and not
/// lines. A swipe of 400 pixels is then ten steps.
const PIXELS_PER_STEP: f64 = 40.0;

/// The steps of zooming for a turn of the mouse wheel, or a movement of two fingers.
pub(crate) fn wheel_steps(delta: MouseScrollDelta, scale_factor: f64) -> f64 {
    match delta {
        MouseScrollDelta::LineDelta(_, lines) => lines.into(),
        MouseScrollDelta::PixelDelta(position) => position.y / (PIXELS_PER_STEP * scale_factor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_each_kind_shows_or_hides_it() {
        for style in &OVERLAY_STYLES {
            assert_eq!(action_of(Key::Character(style.key)), Some(Action::Toggle(style.kind)));
        }
        assert_eq!(action_of(Key::Character('5')), None);
    }

    #[test]
    fn a_key_with_ctrl_has_an_action_of_its_own() {
        assert_eq!(action_of(Key::Character('0')), Some(Action::HideBoxes));
        assert_eq!(action_of(Key::Command('0')), Some(Action::ActualSize));
        assert_eq!(action_of(Key::Command('1')), None);
    }
}
