//! The keys of the window: one table of key, action and help.

use crate::kinds::{OVERLAY_OFF_KEY, OVERLAY_STYLES, OverlayKinds};

/// What a key of the window does.
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

/// A key, as far as the window knows any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A key that writes a character, lower case.
    Character(char),
    /// The same, with Ctrl or Cmd held.
    Command(char),
    Left,
    Right,
    Space,
    Escape,
}

struct Binding {
    keys: &'static [Key],
    name: &'static str,
    action: Action,
    help: &'static str,
}

/// Every key but the digits of the kinds, which [`OVERLAY_STYLES`] has.
const BINDINGS: [Binding; 11] = [
    Binding {
        keys: &[Key::Character(OVERLAY_OFF_KEY)],
        name: "0",
        action: Action::HideBoxes,
        help: "hide all boxes",
    },
    Binding {
        keys: &[Key::Character('f')],
        name: "F",
        action: Action::Fit,
        help: "fit the drawing into the window",
    },
    Binding {
        keys: &[Key::Command('0')],
        name: "Ctrl+0",
        action: Action::ActualSize,
        help: "100 %: one CSS pixel a pixel of the desktop",
    },
    Binding { keys: &[Key::Space], name: "Space", action: Action::Reset, help: "the view as at the start" },
    Binding {
        keys: &[Key::Character('+'), Key::Character('='), Key::Command('+'), Key::Command('=')],
        name: "+",
        action: Action::ZoomIn,
        help: "larger",
    },
    Binding {
        keys: &[Key::Character('-'), Key::Command('-')],
        name: "-",
        action: Action::ZoomOut,
        help: "smaller",
    },
    Binding { keys: &[Key::Left], name: "Left", action: Action::PreviousFile, help: "previous file" },
    Binding { keys: &[Key::Right], name: "Right", action: Action::NextFile, help: "next file" },
    Binding {
        keys: &[Key::Character('b')],
        name: "B",
        action: Action::NextBackground,
        help: "background: checker, white, black",
    },
    Binding { keys: &[Key::Character('r')], name: "R", action: Action::Reload, help: "read the file again" },
    Binding {
        keys: &[Key::Escape, Key::Character('q'), Key::Command('q')],
        name: "Esc, Q",
        action: Action::Quit,
        help: "quit",
    },
];

/// What the mouse does, as in the table of keys.
const MOUSE: [(&str, &str); 2] =
    [("drag", "move the drawing"), ("wheel", "zoom at the cursor; so does a pinch")];

/// What a key does, if anything.
pub(crate) fn action_of(key: Key) -> Option<Action> {
    let toggle = OVERLAY_STYLES.iter().find(|style| key == Key::Character(style.key));
    toggle.map(|style| Action::Toggle(style.kind)).or_else(|| {
        let binding = BINDINGS.iter().find(|binding| binding.keys.contains(&key));
        binding.map(|binding| binding.action)
    })
}

/// What the keys and the mouse do in the window: one a line, the key first.
pub fn key_help() -> String {
    let toggles = OVERLAY_STYLES.iter().map(|style| {
        let plural = format!("{}es", style.title);
        (style.key.to_string(), format!("show or hide the {plural}"))
    });
    let bindings = BINDINGS.iter().map(|binding| (binding.name.to_owned(), binding.help.to_owned()));
    let mouse = MOUSE.iter().map(|&(name, help)| (name.to_owned(), help.to_owned()));
    let rows: Vec<_> = toggles.chain(bindings).chain(mouse).collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, help)| format!("{name:width$}  {help}\n")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_key_has_one_action() {
        let all: Vec<_> = BINDINGS.iter().flat_map(|binding| binding.keys).collect();
        let distinct: BTreeSet<_> = all.iter().map(|key| format!("{key:?}")).collect();
        assert_eq!(distinct.len(), all.len());
        for style in &OVERLAY_STYLES {
            assert!(!all.contains(&&Key::Character(style.key)), "{} is taken twice", style.key);
            assert_eq!(action_of(Key::Character(style.key)), Some(Action::Toggle(style.kind)));
        }
    }

    #[test]
    fn ctrl_makes_another_key() {
        assert_eq!(action_of(Key::Character('0')), Some(Action::HideBoxes));
        assert_eq!(action_of(Key::Command('0')), Some(Action::ActualSize));
        assert_eq!(action_of(Key::Command('1')), None);
    }

    #[test]
    fn the_help_has_a_line_for_every_key() {
        let help = key_help();
        assert_eq!(help.lines().count(), OVERLAY_STYLES.len() + BINDINGS.len() + MOUSE.len());
        assert!(help.contains("\nCtrl+0  100 %"), "{help}");
        assert!(help.starts_with("1       show or hide the leaf boxes\n"), "{help}");
    }
}
