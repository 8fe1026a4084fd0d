//! What winit's events of keys and wheels mean.

use winit::event::{KeyEvent, MouseScrollDelta};
use winit::keyboard::{KeyCode, ModifiersState, NamedKey, PhysicalKey};

use crate::keys::Key;

/// The keys that an event may stand for, the likeliest first.
pub(crate) fn keys_of(event: &KeyEvent, modifiers: ModifiersState) -> impl Iterator<Item = Key> {
    use winit::keyboard::Key as Logical;
    let is_command = modifiers.control_key() || modifiers.super_key();
    let character = |c: char| {
        if is_command { Key::Command(c) } else { Key::Character(c) }
    };
    let logical = match &event.logical_key {
        Logical::Named(NamedKey::ArrowLeft) => Some(Key::Left),
        Logical::Named(NamedKey::ArrowRight) => Some(Key::Right),
        Logical::Named(NamedKey::Space) => Some(Key::Space),
        Logical::Named(NamedKey::Escape) => Some(Key::Escape),
        Logical::Character(text) => text.chars().next().map(|c| character(c.to_ascii_lowercase())),
        _ => None,
    };
    // On some keyboards the row of digits writes them only with Shift.
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

/// How many steps of zooming a turn of the wheel, or a move of two fingers, is.
pub(crate) fn wheel_steps(delta: MouseScrollDelta, scale_factor: f64) -> f64 {
    /// Of a surface that counts pixels of the desktop rather than lines.
    const PIXELS_PER_STEP: f64 = 40.0;
    match delta {
        MouseScrollDelta::LineDelta(_, lines) => lines.into(),
        MouseScrollDelta::PixelDelta(position) => position.y / (PIXELS_PER_STEP * scale_factor),
    }
}
