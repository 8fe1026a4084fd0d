//! The editor that opens the source of an element.

use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;

/// The command that opens a file in an editor, such as `code -g {file}:{line}:{column}`.
///
/// The words are separated by spaces. A word with spaces is in double quotes. In every word,
/// `{file}`, `{line}`, and `{column}` are replaced. Lines and columns start at 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditorCommand(Vec<String>);

/// A text is not a command that opens a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditorError {
    /// It has no `{file}`.
    #[error(
        "the command of the editor lacks {{file}}: use, for example, code -g {{file}}:{{line}}:{{column}}"
    )]
    NoFile,
    /// A double quote is not closed.
    #[error("the command of the editor has a double quote without an end")]
    OpenQuote,
}

impl FromStr for EditorCommand {
    type Err = EditorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words: Vec<String> = Vec::new();
        let (mut is_quoted, mut is_between) = (false, true);
        for character in text.chars() {
            if character.is_whitespace() && !is_quoted {
                is_between = true;
                continue;
            }
            if std::mem::take(&mut is_between) {
                words.push(String::new());
            }
            if character == '"' {
                is_quoted = !is_quoted;
            } else if let Some(word) = words.last_mut() {
                word.push(character);
            }
        }
        if is_quoted {
            return Err(EditorError::OpenQuote);
        }
        if !words.iter().skip(1).any(|word| word.contains("{file}")) {
            return Err(EditorError::NoFile);
        }
        Ok(Self(words))
    }
}

impl EditorCommand {
    /// The program and its arguments for a place in a file.
    fn words(&self, file: &Path, [line, column]: [u32; 2]) -> Vec<String> {
        let [line, column] = [line, column].map(|number| number.to_string());
        let fill = |word: &String| {
            // The path comes last, because it may contain the other texts.
            word.replace("{line}", &line)
                .replace("{column}", &column)
                .replace("{file}", &file.to_string_lossy())
        };
        self.0.iter().map(fill).collect()
    }

    /// Starts the editor at a line and a column of a file.
    ///
    /// Nobody waits for it: it may run for longer than the window.
    pub fn open(&self, file: &Path, place: [u32; 2]) -> Result<(), String> {
        let words = self.words(file, place);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null());
        let started = command.spawn().map_err(|error| format!("cannot start {}: {error}", words[0]))?;
        // A process that has ended stays in the table of processes until somebody asks for its
        // code.
        let mut child = started;
        let waiting = std::thread::Builder::new().name("boxwood_editor".to_owned());
        waiting
            .spawn(move || child.wait())
            .map(drop)
            .map_err(|error| format!("cannot start a thread: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_into_every_word() {
        let command: EditorCommand =
            r#""my editor" -g {file}:{line}:{column}  +{line} "a b""#.parse().expect("it is correct");
        let words = command.words(Path::new("a {line}.svg"), [7, 3]);
        assert_eq!(words, ["my editor", "-g", "a {line}.svg:7:3", "+7", "a b"]);
    }

    #[test]
    fn a_command_without_a_file_is_refused() {
        for (text, error) in [
            ("", EditorError::NoFile),
            ("vi", EditorError::NoFile),
            ("{file}", EditorError::NoFile),
            ("vi \"{file}", EditorError::OpenQuote),
        ] {
            assert_eq!(text.parse::<EditorCommand>(), Err(error), "{text}");
        }
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        let command: EditorCommand = "/no/such/editor {file}".parse().expect("it is correct");
        let error = command.open(Path::new("a.svg"), [1, 1]).expect_err("there is no such program");
        assert!(error.starts_with("cannot start /no/such/editor: "), "{error}");
    }
}
