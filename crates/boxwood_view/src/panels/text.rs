//! Text for panels: wrapping and escaping.

/// A message with more lines is cut.
const MAX_LINES: usize = 12;

/// The number of columns of a line, whatever the width of the picture.
const COLUMNS: std::ops::RangeInclusive<usize> = 16..=110;

/// Breaks a text into lines of at most about `columns` characters. Words are broken only if they
/// are longer than a line.
pub(crate) fn wrap(text: &str, columns: f64) -> Vec<String> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and NaN is 0")]
    let columns = (columns as usize).clamp(*COLUMNS.start(), *COLUMNS.end());
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            for part in word.chars().collect::<Vec<_>>().chunks(columns) {
                if !line.is_empty() && line.chars().count() + 1 + part.len() > columns {
                    lines.push(std::mem::take(&mut line));
                }
                if !line.is_empty() {
                    line.push(' ');
                }
                line.extend(part);
            }
        }
        lines.push(line);
    }
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push("…".to_owned());
    }
    lines
}

/// Escapes a text for XML, and replaces the characters that XML forbids.
pub(crate) fn escape(text: &str) -> String {
    let legal = |character: char| match character {
        '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        other if other.is_control() => ' ',
        other => other,
    };
    let text: String = text.chars().map(legal).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words_and_within_long_ones() {
        assert_eq!(wrap("one two three four five", 16.0), ["one two three", "four five"]);
        assert_eq!(wrap("a\nb", 16.0), ["a", "b"]);
        assert_eq!(wrap(&"x".repeat(40), 16.0), ["x".repeat(16), "x".repeat(16), "x".repeat(8)]);
        assert_eq!(wrap(&"y\n".repeat(99), f64::NAN).len(), MAX_LINES + 1);
    }

    #[test]
    fn markup_and_forbidden_characters_are_escaped() {
        assert_eq!(escape("a<b>&\u{1}\u{ffff}"), "a&lt;b&gt;&amp; \u{fffd}");
    }
}
