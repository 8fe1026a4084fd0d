//! Keys and turns of the mouse wheel, as winit reports them.

use winit::event::{KeyEvent, MouseScrollDelta};
use winit::keyboard::{Key as Logical, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// A key of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A key that writes a character, in lower case.
    Character(char),
    /// The same with Ctrl or Cmd held.
    Command(char),
    Named(NamedKey),
}

/// The keys that a key event may stand for, the most likely first.
pub(crate) fn keys(event: &KeyEvent, modifiers: ModifiersState) -> impl Iterator<Item = Key> {
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
    logical.into_iter().chain(digit.map(character))
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
