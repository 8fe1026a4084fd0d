//! Tests of the shaders that are compiled from a file.

use crate::permutations::{Permutation, parse};

fn permutation<'a>(name: &'a str, defines: &[&'a str]) -> Permutation<'a> {
    Permutation { name, defines: defines.iter().copied().collect() }
}

#[test]
fn a_file_is_a_shader_with_its_own_name() {
    let permutations = parse("fine", "// Fine.\nfn main() {}\n").expect("the head is valid");
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
