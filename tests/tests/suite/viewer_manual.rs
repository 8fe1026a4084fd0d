//! The manual of the viewer has the table of commands.

use boxwood_tests::repository;

/// With `BOXWOOD_BLESS=1`, the test rewrites the table.
#[test]
fn the_manual_has_every_command() {
    let path = repository().join("docs/viewer.md");
    let manual = std::fs::read_to_string(&path).expect("the manual can be read");
    let table = boxwood_view::commands_as_markdown();
    if std::env::var_os("BOXWOOD_BLESS").is_some() {
        let is_row = |line: &&str| line.starts_with('|') && line.matches('|').count() == 4;
        let rows: Vec<_> = manual.lines().filter(is_row).collect();
        let old = rows.iter().map(|row| format!("{row}\n")).collect::<String>();
        let new = if old.is_empty() { manual + &table } else { manual.replace(&old, &table) };
        std::fs::write(&path, new).expect("the manual can be written");
        return;
    }
    assert!(manual.contains(&table), "docs/viewer.md lacks this table:\n{table}");
}
