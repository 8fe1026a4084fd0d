//! The tree of a JSON text, against the verdict of `serde_json`.

use boxwood_cpu::specification::tree::{JsonError, JsonKind, JsonRoots, JsonRow, json};
use serde::de::IgnoredAny;

/// The function that makes a tree.
pub type Trees = fn(&[u8], JsonRoots) -> Result<Vec<JsonRow>, JsonError>;

/// Checks the specification of stage *json*.
pub fn json_text(text: &[u8]) {
    json_text_by(json, text);
}

/// Checks the trees that a function makes of a text, and of its lines.
///
/// # Panics
///
/// Panics if a verdict is not that of `serde_json`, or if a tree does not nest.
pub fn json_text_by(trees: Trees, text: &[u8]) {
    let result = trees(text, JsonRoots::One);
    if let Some(expected) = verdict(text) {
        assert_eq!(result.is_ok(), expected, "{result:?}");
    }
    match &result {
        Ok(rows) => check_rows(text, rows),
        Err(error) => assert!(error.offset as usize <= text.len(), "{error:?}"),
    }
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').filter(|line| !is_blank(line)).collect();
    let verdicts: Option<Vec<bool>> = lines.iter().map(|line| verdict(line)).collect();
    if let Some(verdicts) = verdicts {
        let result = trees(text, JsonRoots::Lines);
        assert_eq!(result.is_ok(), verdicts.iter().all(|is_valid| *is_valid), "{result:?}");
        if let Ok(rows) = result {
            let is_root = |row: &&JsonRow| row.parent < 0 && !row.kind.is_end();
            assert_eq!(rows.iter().filter(is_root).count(), lines.len());
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| b" \t\r".contains(byte))
}

/// Whether `serde_json` reads a text, or `None` if the text is too deep for it.
fn verdict(text: &[u8]) -> Option<bool> {
    // It does not check the characters of what it ignores.
    let Ok(text) = std::str::from_utf8(text) else { return Some(false) };
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Some(true),
        Err(error) if error.to_string().contains("recursion limit") => None,
        Err(_) => Some(false),
    }
}

/// Checks that the rows are in order, inside of their parents, and what they are called.
fn check_rows(text: &[u8], rows: &[JsonRow]) {
    let index = |index: i32| usize::try_from(index).ok();
    for (i, row) in rows.iter().enumerate() {
        assert!(row.first <= row.last && (row.last as usize) < text.len(), "{row:?}");
        assert!(i == 0 || rows[i - 1].first < row.first, "row {i} is not in order");
        if let Some(parent) = index(row.parent) {
            let parent = rows[parent];
            assert!(matches!(parent.kind, JsonKind::Object | JsonKind::Array), "{row:?}");
            assert!(parent.first < row.first && row.last < parent.last, "{row:?} is outside of {parent:?}");
        }
        let has_partner = row.kind.is_end() || matches!(row.kind, JsonKind::Object | JsonKind::Array);
        assert_eq!(has_partner, row.partner >= 0, "{row:?}");
        if let Some(partner) = index(row.partner) {
            assert_eq!(index(rows[partner].partner), Some(i), "{row:?}");
        }
        let source = &text[row.first as usize..=row.last as usize];
        let is_right = match row.kind {
            JsonKind::Object => source.starts_with(b"{") && source.ends_with(b"}"),
            JsonKind::Array => source.starts_with(b"[") && source.ends_with(b"]"),
            JsonKind::ObjectEnd => source == b"}",
            JsonKind::ArrayEnd => source == b"]",
            JsonKind::Key => source.starts_with(b"\"") && rows[i + 1].parent == row.parent,
            JsonKind::String => source.len() > 1 && source.starts_with(b"\"") && source.ends_with(b"\""),
            JsonKind::Number => source[0] == b'-' || source[0].is_ascii_digit(),
            JsonKind::True => source == b"true",
            JsonKind::False => source == b"false",
            JsonKind::Null => source == b"null",
        };
        assert!(is_right, "{row:?}");
    }
}
