//! Text for terminals: cells of tables.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The maximum width before the gap in a shortened text. The end of a path identifies an element
/// better than its start.
const HEAD: usize = 12;

/// Cuts out the middle of a text that is wider than `max`, where a CJK character counts twice.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    if text.width() <= max {
        return text.to_owned();
    }
    let head_width = HEAD.min(max / 3);
    let head: String = fitting(text.chars(), head_width).collect();
    let tail: Vec<_> = fitting(text.chars().rev(), max - head_width - 1).collect();
    head.chars().chain(['…']).chain(tail.into_iter().rev()).collect()
}

/// The first characters that fit into this width together.
fn fitting(chars: impl Iterator<Item = char>, width: usize) -> impl Iterator<Item = char> {
    let mut used = 0;
    chars.take_while(move |c| {
        used += c.width().unwrap_or(0);
        used <= width
    })
}

/// Escapes control characters, which could change the state of a terminal.
pub(crate) fn printable(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

/// The same for a text of several lines, whose line breaks stay.
pub(crate) fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// Numbers from this size are written with an exponent, to keep columns narrow.
const LARGE: f64 = 1e9;

/// Writes a number with this many decimals. Never writes `-0`.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= LARGE {
        return format!("{value:.decimals$e}");
    }
    let text = format!("{value:.decimals$}");
    let is_zero = !text.contains(|c: char| c.is_ascii_digit() && c != '0');
    if is_zero { text.trim_start_matches('-').into() } else { text }
}

/// The number of decimals of a size in a title.
const TITLE_DECIMALS: usize = 3;

/// Writes a number for a title: rounded, and without zeros at its end.
pub(crate) fn rounded(value: f64) -> String {
    let text = fixed(value, TITLE_DECIMALS);
    if text.contains('e') { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// The lines of a table, whose rows have the same columns. Those with numbers are aligned right.
pub(crate) fn aligned(rows: &[impl AsRef<[String]>], is_number: impl Fn(usize) -> bool) -> Vec<String> {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.as_ref().len().max(widths.len()), 0);
        widths.iter_mut().zip(row.as_ref()).for_each(|(width, cell)| *width = cell.width().max(*width));
    }
    let line = |row: &[String]| {
        let columns = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let space = " ".repeat(width - cell.width());
            if is_number(column) { format!("{space}{cell}") } else { format!("{cell}{space}") }
        });
        columns.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(|row| line(row.as_ref())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_in_the_middle() {
        const MAX: usize = 48;
        let path = format!("/g[1]{}/path[7]", "/g[2]".repeat(40));
        let cut = shortened(&path, MAX);
        assert_eq!(cut.chars().count(), MAX);
        assert!(cut.starts_with("/g[1]/g[2]/g…") && cut.ends_with("/g[2]/path[7]"), "{cut}");
        let just_fits = "ö".repeat(MAX);
        assert_eq!(shortened(&just_fits, MAX), just_fits);
        let wide = shortened(&"図".repeat(MAX), MAX);
        assert_eq!((wide.width(), wide.chars().count()), (MAX - 1, 6 + 1 + 17), "{wide}");
    }

    #[test]
    fn sizes_in_titles_are_rounded() {
        assert_eq!([640.0, 73.709_999_084, 0.5, 1e300].map(rounded), ["640", "73.71", "0.5", "1.000e300"]);
    }

    #[test]
    fn no_number_is_minus_zero() {
        assert_eq!(fixed(-0.000_4, 3), "0.000");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(fixed(-0.5, 1), "-0.5");
    }
}
