//! Tests of the shaders that are compiled from a file.

use std::collections::BTreeSet;

use super::{Permutation, duplicates, parse};

fn permutation<'a>(name: &'a str, defines: &[&'a str]) -> Permutation<'a> {
    Permutation { name, defines: defines.iter().copied().collect() }
}

#[test]
fn a_file_is_a_shader_with_its_own_name() {
    let source = "// Fine.\nfn main() {}\n// shader: not_at_the_head\n";
    let permutations = parse("fine", source).expect("the head is valid");
    assert_eq!(permutations, [permutation("fine", &[])]);
}

#[test]
fn the_head_of_a_file_lists_its_shaders() {
    let source = "// shader: fine_area\n// shader:fine_msaa8: msaa  msaa8\n\n// Fine.\nfn main() {}\n";
    let permutations = parse("fine", source).expect("the head is valid");
    assert_eq!(permutations, [permutation("fine_area", &[]), permutation("fine_msaa8", &["msaa", "msaa8"])]);
}

#[test]
fn errors_name_the_file_and_the_remedy() {
    for (source, name) in [("// shader: : A\n", ""), ("// shader: a b: A\n", "a b")] {
        assert_eq!(
            parse("fine", source).expect_err("the head is not valid"),
            format!(
                "fine.wgsl: `{name}` is not the name of a shader: write `// shader: NAME: DEFINE DEFINE`"
            )
        );
    }
}

#[test]
fn no_two_shaders_have_the_same_name() {
    let mut names = BTreeSet::new();
    assert!(duplicates("fine", &[permutation("fine_area", &[])], &mut names).is_empty());
    assert_eq!(
        duplicates("coarse", &[permutation("coarse", &[]), permutation("fine_area", &["msaa"])], &mut names),
        ["coarse.wgsl: another shader has the name `fine_area`"]
    );
}
