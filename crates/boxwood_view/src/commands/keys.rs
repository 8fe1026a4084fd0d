//! Keys with modifiers, and the commands that they stand for.

use std::fmt;

use egui::{Context, Event, Key, Modifiers};

use super::{Command, commands};

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Keys {
    key: Key,
    /// Ctrl, or Cmd on macOS.
    has_command: bool,
    has_shift: bool,
}

impl Keys {
    /// A key alone.
    pub(crate) const fn plain(key: Key) -> Self {
        Self { key, has_command: false, has_shift: false }
    }

    /// A key with Shift.
    pub(crate) const fn shift(key: Key) -> Self {
        Self { key, has_command: false, has_shift: true }
    }

    /// A key with Ctrl, or Cmd on macOS.
    pub(crate) const fn command(key: Key) -> Self {
        Self { key, has_command: true, has_shift: false }
    }

    /// A key with Ctrl and Shift, or Cmd and Shift on macOS.
    pub(crate) const fn command_shift(key: Key) -> Self {
        Self { key, has_command: true, has_shift: true }
    }

    /// Whether a key event presses these keys.
    ///
    /// Shift counts for letters and named keys only: some keyboards need it for digits and signs.
    /// There, the physical key stands for its digit too.
    fn are_pressed(self, key: Key, physical_key: Option<Key>, modifiers: Modifiers) -> bool {
        let is_sign = self.key.symbol_or_name().chars().all(|c| !c.is_alphabetic());
        let is_same = key == self.key || is_digit(self.key) && physical_key == Some(self.key);
        is_same
            && !modifiers.alt
            && modifiers.command == self.has_command
            && (is_sign || modifiers.shift == self.has_shift)
    }

    /// Whether the keys have an effect while a widget of this kind has the keyboard focus.
    fn work_in(self, focus: Focus) -> bool {
        match focus {
            Focus::Nothing => true,
            Focus::Control => self.has_command || !is_of_controls(self.key),
            Focus::Text => self.has_command || self.key == Key::Escape,
        }
    }
}

/// The kind of widget that has the keyboard focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    Nothing,
    /// A button, a slider, or another widget without a text.
    Control,
    /// A field in which a text is typed.
    Text,
}

impl Focus {
    pub(crate) fn of(ctx: &Context) -> Self {
        if ctx.text_edit_focused() {
            Self::Text
        } else if ctx.memory(|memory| memory.focused().is_some()) {
            Self::Control
        } else {
            Self::Nothing
        }
    }
}

/// Whether a button or a slider with the focus reacts to a key.
fn is_of_controls(key: Key) -> bool {
    let keys = [Key::Space, Key::Enter, Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown];
    keys.contains(&key)
}

fn is_digit(key: Key) -> bool {
    key.name().chars().all(|c| c.is_ascii_digit())
}

/// Writes keys as people read them, such as `Ctrl+Shift+P`.
impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_command {
            f.write_str("Ctrl+")?;
        }
        if self.has_shift {
            f.write_str("Shift+")?;
        }
        f.write_str(match self.key {
            Key::ArrowLeft => "Left",
            Key::ArrowRight => "Right",
            Key::Escape => "Esc",
            Key::Questionmark => "?",
            Key::Comma => ",",
            Key::Period => ".",
            Key::Plus => "+",
            Key::Minus => "-",
            Key::Equals => "=",
            other => other.name(),
        })
    }
}

/// Takes the key events that stand for commands out of the input, and returns the commands.
///
/// A widget with the keyboard focus gets the keys that it reacts to.
pub(crate) fn pressed(events: &mut Vec<Event>, focus: Focus) -> Vec<Command> {
    let mut found = Vec::new();
    events.retain(|event| {
        let (key, physical_key, modifiers) = match *event {
            Event::Key { key, physical_key, pressed: true, modifiers, .. } => (key, physical_key, modifiers),
            // The window reports Ctrl+C like this.
            Event::Copy if focus != Focus::Text => (Key::C, None, Modifiers::COMMAND),
            _ => return true,
        };
        let stands_for = |keys: &Keys| keys.work_in(focus) && keys.are_pressed(key, physical_key, modifiers);
        let info = commands().find(|info| info.keys.iter().any(stands_for));
        found.extend(info.map(|info| info.command));
        info.is_none()
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxwood_render::OverlayKinds;

    fn event(key: Key, physical_key: Key, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: Some(physical_key), pressed: true, repeat: false, modifiers }
    }

    #[test]
    fn a_key_with_ctrl_has_a_command_of_its_own() {
        let press = |key, modifiers| pressed(&mut vec![event(key, key, modifiers)], Focus::Nothing);
        assert_eq!(press(Key::Num0, Modifiers::NONE), [Command::HideAllKinds]);
        assert_eq!(press(Key::Num0, Modifiers::COMMAND), [Command::ActualSize]);
        assert_eq!(press(Key::Num1, Modifiers::COMMAND), []);
        assert_eq!(press(Key::A, Modifiers::NONE), []);
        assert_eq!(press(Key::F, Modifiers::SHIFT), []);
        assert_eq!(press(Key::Questionmark, Modifiers::SHIFT), [Command::ShowHelp]);
    }

    #[test]
    fn a_digit_is_found_by_its_place_on_the_keyboard() {
        // The row of digits of a French keyboard writes signs without Shift.
        let ampersand = event(Key::Exclamationmark, Key::Num1, Modifiers::NONE);
        assert_eq!(pressed(&mut vec![ampersand], Focus::Nothing), [Command::ToggleKind(OverlayKinds::LEAF)]);
        let with_shift = event(Key::Num1, Key::Num1, Modifiers::SHIFT);
        assert_eq!(pressed(&mut vec![with_shift], Focus::Nothing), [Command::ToggleKind(OverlayKinds::LEAF)]);
    }

    #[test]
    fn a_widget_with_the_focus_gets_the_keys_that_it_reacts_to() {
        let f = event(Key::F, Key::F, Modifiers::NONE);
        let space = event(Key::Space, Key::Space, Modifiers::NONE);
        let zoom = event(Key::Num0, Key::Num0, Modifiers::COMMAND);
        for (focus, commands, kept) in [
            (Focus::Nothing, vec![Command::FitWindow, Command::ResetView, Command::ActualSize], vec![]),
            (Focus::Control, vec![Command::FitWindow, Command::ActualSize], vec![space.clone()]),
            (Focus::Text, vec![Command::ActualSize], vec![f.clone(), space.clone()]),
        ] {
            let mut events = vec![f.clone(), space.clone(), zoom.clone()];
            assert_eq!(pressed(&mut events, focus), commands, "{focus:?}");
            assert_eq!(events, kept, "{focus:?}");
        }
    }
}
