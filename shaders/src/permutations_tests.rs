//! Tests of the list of permutations.

use std::collections::BTreeSet;

use crate::permutations::{Permutation, parse};

fn permutation<'a>(name: &'a str, defines: &[&'a str]) -> Permutation<'a> {
    Permutation { name, defines: defines.iter().copied().collect::<BTreeSet<_>>() }
}

#[test]
fn a_file_has_the_permutations_below_it() {
    let list = "# a comment\nfine\n+ fine_area\n  + fine_msaa8: msaa  msaa8\n\npathtag_scan\n+pathtag_scan_small:small\n";
    let permutations = parse(list).expect("it can be read");
    assert_eq!(permutations.keys().copied().collect::<Vec<_>>(), ["fine", "pathtag_scan"]);
    assert_eq!(
        permutations["fine"],
        [permutation("fine_area", &[]), permutation("fine_msaa8", &["msaa", "msaa8"])]
    );
    assert_eq!(permutations["pathtag_scan"], [permutation("pathtag_scan_small", &["small"])]);
}

#[test]
fn an_empty_list_has_none() {
    assert_eq!(parse("# nothing\n\n").expect("it can be read").len(), 0);
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    for (list, expected) in [
        ("\n+ a: A\n", "permutations:2: a permutation before any file"),
        ("a\n+ : A\n", "permutations:2: `` is not the name of a shader"),
        ("a\n+ a b: A\n", "permutations:2: `a b` is not the name of a shader"),
        ("a\n+ b\nc\n+ b: A\n", "permutations:4: `b` is listed twice"),
        ("a\n+ b\n# c\na\n", "permutations:4: `a` is listed twice"),
    ] {
        assert_eq!(parse(list).expect_err("it cannot be read"), expected);
    }
}
