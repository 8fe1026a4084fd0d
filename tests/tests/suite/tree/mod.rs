//! Matching and scans over trees.

mod json;
mod look_back;
mod matcher_faults;
mod matchers;
mod memory_safety;
mod scan;

use boxwood_tests::{Family, families};

/// The family of this name.
fn family(name: &str) -> Family {
    families().into_iter().find(|family| family.name == name).expect("there is such a family")
}

/// The kinds of the entries of a node stream, true for a begin. Leaves are not entries.
fn begins(stream: &str) -> Vec<bool> {
    stream.chars().filter(|c| matches!(c, '(' | ')')).map(|c| c == '(').collect()
}
