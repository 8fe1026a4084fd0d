//! Tests of the list of permutations.

use std::collections::BTreeSet;

use crate::permutations::{Permutation, parse};

fn permutation<'a>(name: &'a str, defines: &[&'a str]) -> Permutation<'a> {
    Permutation { name, defines: defines.iter().copied().collect::<BTreeSet<_>>() }
}

#[test]
fn permutations_belong_to_the_file_above_them() {
    let list = "# a comment\nfine\n+ fine_area\n  + fine_msaa8: msaa  msaa8\n\npathtag_scan\n+pathtag_scan_small:small\n";
    let permutations = parse(list).expect("the list is valid");
    assert_eq!(permutations.keys().copied().collect::<Vec<_>>(), ["fine", "pathtag_scan"]);
    assert_eq!(
        permutations["fine"],
        [permutation("fine_area", &[]), permutation("fine_msaa8", &["msaa", "msaa8"])]
    );
    assert_eq!(permutations["pathtag_scan"], [permutation("pathtag_scan_small", &["small"])]);
}

#[test]
fn an_empty_list_has_no_permutations() {
    assert_eq!(parse("# nothing\n\n").expect("the list is valid").len(), 0);
}

#[test]
fn errors_name_the_line_and_the_remedy() {
    for (list, expected) in [
        ("\n+ a: A\n", "permutations:2: name a file before its shaders"),
        ("a\n+ : A\n", "permutations:2: `` is not the name of a shader: write `+ name: DEFINE DEFINE`"),
        ("a\n+ a b: A\n", "permutations:2: `a b` is not the name of a shader: write `+ name: DEFINE DEFINE`"),
        ("a\n+ b\nc\n+ b: A\n", "permutations:4: the shader `b` is already listed above"),
        ("a\n+ b\n# c\na\n", "permutations:4: the file `a` is already listed above"),
    ] {
        assert_eq!(parse(list).expect_err("the list is not valid"), expected);
    }
}
