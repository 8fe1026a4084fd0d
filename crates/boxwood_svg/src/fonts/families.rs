//! Families that Chromium takes for others.

/// Families with the same metrics. Chromium lets fontconfig replace each one only by another of
/// its row (Skia's `SkFontConfigInterface_direct.cpp`; its East Asian rows are left out here).
const SAME_METRICS: [&[&str]; 5] = [
    &["Arial", "Arimo", "Liberation Sans"],
    &["Times New Roman", "Tinos", "Liberation Serif"],
    &["Courier New", "Cousine", "Liberation Mono"],
    &["Calibri", "Carlito"],
    &["Cambria", "Caladea"],
];

/// Families that Chromium looks for in place of each other (`AlternateFamilyName` of Blink's font
/// cache).
const ALTERNATES: [[&str; 2]; 3] =
    [["Arial", "Helvetica"], ["Times New Roman", "Times"], ["Courier New", "Courier"]];

/// Whether two names are those of one family. CSS ignores their case.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    // Unicode's case folding counts, but differs from this only for a few letters.
    a.eq_ignore_ascii_case(b) || (!a.is_ascii() && a.to_lowercase() == b.to_lowercase())
}

/// Whether the text is as wide in one family as in the other.
pub(super) fn have_same_metrics(a: &str, b: &str) -> bool {
    let has = |row: &[&str], name: &str| row.iter().any(|family| is_same(family, name));
    SAME_METRICS.iter().any(|row| has(row, a) && has(row, b))
}

/// The family to look for if this one is not installed.
pub(super) fn alternate(name: &str) -> Option<&'static str> {
    ALTERNATES.iter().find_map(|[a, b]| match name {
        _ if is_same(a, name) => Some(*b),
        _ if is_same(b, name) => Some(*a),
        _ => None,
    })
}
